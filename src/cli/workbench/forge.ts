// The forge: strangers propose words of a recipe, and an author decides about them. The words are in a database.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Code, error, type Issue, RollmillError } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";
import { readCapped } from "../../files/read.js";
import { parseTables, type RecipeSpec, type TablesInput, type WordInput } from "../../index.js";
import { toWordCsv } from "../../recipes/index.js";
import { specOf } from "../../spec/index.js";
import { acceptWord, type ChangedWord, editWord, loadTables, proposeWord, rejectWord } from "../../wordstores/index.js";
import { lookAlikesOf } from "../../wordstores/lookAlikes.js";
import { partsOf, type WordParts } from "../../wordstores/proposals.js";
import { type TableShape, tableShape, tableShapes } from "../../wordstores/shape.js";
import { type Forecast, forecastOf } from "./forecast.js";
import { unhidden } from "./hiddenCharacters.js";
import { clientOf, Rates } from "./rates.js";
import { end, endJson, Followers, type Route, type Served } from "./route.js";

interface ForgeOptions {
  /** The place of the words, as `loadTables` takes it. */
  readonly place: string;
  readonly name: string;
  readonly spec: RecipeSpec;
  readonly seed: string;
  /** Whether clients come through a proxy, which names them. */
  readonly isBehindProxy: boolean;
  /** Called with each problem that strangers may not read, and with warnings about malformed rows. */
  readonly report: (problem: string) => void;
}

/** What the page shows of the words. */
export interface ServedWords {
  readonly isAuthor: boolean;
  readonly tables: readonly ServedTable[];
}

interface ServedTable {
  readonly name: string;
  /** The file of the page that has the accepted words, and its text. */
  readonly file: string;
  readonly text: string;
  readonly hasTiers: boolean;
  /** The column of weights. */
  readonly weight: string | undefined;
  readonly stats: readonly string[];
  /** All rows for the author, and accepted rows for strangers. */
  readonly rows: readonly WordInput[];
}

/** The forecast of a changed word, with the words that look like it. */
export interface WordForecast extends Forecast {
  readonly lookAlikes: readonly string[];
}

type Role = "stranger" | "author";
type Body = Readonly<Record<string, unknown>>;

interface Endpoint {
  readonly method: Route["method"];
  readonly path: string;
  /** Who may ask. The author may do what strangers may. */
  readonly role: Role;
  readonly run: (body: Body, role: Role) => unknown;
}

/** A page loads about twenty files. */
const READS = { each: { burst: 300, perSecond: 20 }, all: { burst: 3000, perSecond: 200 } };
/** After ten requests, a stranger has one more every ten seconds. */
const WRITES = { each: { burst: 10, perSecond: 0.1 }, all: { burst: 100, perSecond: 2 } };
const MAX_BODY = 16_384;
/** So many proposals an author can still read. */
const MAX_OPEN = 500;
/** Each change opens a connection of the database. */
const MAX_CHANGES_AT_ONCE = 8;
const MAX_PAGES = { each: 20, all: 1000 };
/** Other programs may change the words, too. */
const POLL_MILLISECONDS = 5000;
const RETRY_SECONDS = 5;

export class Forge implements Served {
  readonly kind = "words";
  readonly routes: readonly Route[];
  /** A request with this secret comes from the author. */
  readonly secret = randomBytes(24).toString("base64url");
  readonly #given: ForgeOptions;
  readonly #shapes: readonly TableShape[];
  #tables: TablesInput;
  #shown: Readonly<Record<Role, ServedWords>>;
  /** The last problem of the database. */
  #problem = "";
  #loading: Promise<void> = Promise.resolve();
  /** The load after the one that runs. */
  #next: Promise<void> | undefined;
  #changes = 0;
  readonly #followers = new Followers();
  readonly #reads = new Rates(READS, seconds);
  readonly #writes = new Rates(WRITES, seconds);
  readonly #poll: NodeJS.Timeout;

  /** Reads the words. Throws the errors of `loadTables` and of the recipe with its words. */
  static async open(given: ForgeOptions): Promise<Forge> {
    return new Forge(given, await load(given, ({ message }) => given.report(message)));
  }

  private constructor(given: ForgeOptions, tables: TablesInput) {
    this.#given = given;
    this.#shapes = tableShapes({ recipe: given.name, spec: given.spec });
    this.#tables = tables;
    this.#shown = this.#show(tables);
    const endpoints: readonly Endpoint[] = [
      { method: "GET", path: "files", role: "stranger", run: () => this.#document() },
      { method: "GET", path: "words", role: "stranger", run: (_, role) => this.#shown[role] },
      { method: "POST", path: "propose", role: "stranger", run: (body, role) => this.#propose(body, role) },
      { method: "POST", path: "forecast", role: "author", run: (body) => this.#forecast(body) },
      { method: "POST", path: "accept", role: "author", run: (body) => this.#change(acceptWord, body) },
      { method: "POST", path: "reject", role: "author", run: (body) => this.#change(rejectWord, body) },
      { method: "POST", path: "edit", role: "author", run: (body) => this.#change(editWord, body) },
    ];
    this.routes = [
      ...endpoints.map((endpoint) => ({
        ...endpoint,
        run: (request: IncomingMessage, response: ServerResponse) => this.#answer(endpoint, request, response),
      })),
      { method: "GET", path: "changes", run: (request, response) => this.#follow(request, response) },
    ];
    this.#poll = setInterval(() => this.#followers.size > 0 && this.#reload(), POLL_MILLISECONDS).unref();
  }

  wait(request: IncomingMessage): number {
    if (this.#roleOf(request) === "author") return 0;
    const rates = request.method === "GET" ? this.#reads : this.#writes;
    return rates.take(this.#clientOf(request));
  }

  close(): void {
    clearInterval(this.#poll);
  }

  /** Returns undefined for a wrong secret. */
  #roleOf({ headers: { authorization } }: IncomingMessage): Role | undefined {
    if (authorization === undefined) return "stranger";
    // hashes have one length, and their comparison takes one time
    const [given, wanted] = [authorization, `Bearer ${this.secret}`].map((text) =>
      createHash("sha256").update(text).digest(),
    );
    return timingSafeEqual(given, wanted) ? "author" : undefined;
  }

  #clientOf(request: IncomingMessage): string {
    return clientOf(request, this.#given.isBehindProxy);
  }

  async #answer({ role, run }: Endpoint, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asking = this.#roleOf(request);
    if (asking === undefined) {
      return end(response, 403, "this is not the author's secret: the command prints a new one each time it starts");
    }
    if (role === "author" && asking !== "author") return end(response, 403, "only the author may do this");
    try {
      const body = request.method === "GET" ? {} : await bodyOf(request);
      endJson(response, await run(body, asking));
    } catch (cause) {
      const { status, message, seconds } = this.#refusalOf(cause, asking);
      if (seconds > 0) response.setHeader("retry-after", seconds);
      // the rest of a large request is not read
      if (status === 413) response.setHeader("connection", "close");
      end(response, status, message);
    }
  }

  /** Strangers learn nothing about the database. */
  #refusalOf(cause: unknown, role: Role): Refusal {
    if (cause instanceof Refusal) return cause;
    const [code, message] =
      cause instanceof RollmillError ? [cause.code, cause.issues[0].message] : [undefined, reasonOf(cause)];
    const status = code === undefined ? 500 : statusOf(code);
    if (status < 500) return new Refusal(status, message);
    this.#given.report(message);
    const seconds = status === 503 ? RETRY_SECONDS : 0;
    const told = "the words cannot be reached or changed now. Try again later";
    return new Refusal(status, role === "author" ? message : told, seconds);
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    const client = this.#clientOf(request);
    if (this.#followers.size >= MAX_PAGES.all || this.#followers.sizeOf(client) >= MAX_PAGES.each) {
      response.setHeader("retry-after", RETRY_SECONDS);
      end(response, 503, "too many pages are open");
    } else this.#followers.add(response, client);
  }

  /** The recipe and its words as files, which the page opens as it opens those of a folder. */
  #document() {
    const { name, spec, seed } = this.#given;
    const words = this.#shown.stranger.tables.map(({ file, text }) => [file, text] as const);
    const file = `${name}.json`;
    return {
      files: { [file]: JSON.stringify(spec, null, 2), ...Object.fromEntries(words) },
      file,
      seed,
      canSave: false,
    };
  }

  #show(all: TablesInput): Readonly<Record<Role, ServedWords>> {
    const tables = this.#shapes.map(({ name, tierSlots, weight, stats }): ServedTable => {
      const accepted = all[name].filter(({ status = "accepted" }) => status === "accepted");
      const rows = accepted.map(({ status: _, proposer: __, proposed: ___, ...row }) => row as WordInput);
      const file = `${this.#given.name}/${name}.csv`;
      return { name, file, text: toWordCsv(rows), hasTiers: tierSlots.length > 0, weight, stats, rows };
    });
    const whole = tables.map((table) => ({ ...table, rows: all[table.name] }));
    return { stranger: { isAuthor: false, tables }, author: { isAuthor: true, tables: whole } };
  }

  async #propose(body: Body, role: Role) {
    const open = Object.values(this.#tables).flatMap((rows) => rows.filter(({ status }) => status === "proposed"));
    if (open.length + this.#changes >= MAX_OPEN) {
      const told = `${MAX_OPEN} proposals wait for the author: try again when some of them are decided`;
      throw new Refusal(429, told, 3600);
    }
    const { table, word, tier, weight, stats, proposer } = body;
    const proposal = { table, word, tier, weight, stats, ...(proposer !== "" && { proposer }), proposed: new Date() };
    const { row, lookAlikes } = await this.#write(proposeWord, proposal);
    // a stranger learns of accepted words only
    const told = lookAlikes.filter(({ status }) => role === "author" || status === "accepted");
    return { row, lookAlikes: told.map((one) => one.word) };
  }

  async #change(change: WordChange, { table, seen, change: parts }: Body) {
    const { row } = await this.#write(change, { table, word: Object(seen).word, seen, change: parts });
    return { row };
  }

  async #write(change: WordChange, options: Body): Promise<ChangedWord> {
    if (this.#changes >= MAX_CHANGES_AT_ONCE) throw new Refusal(503, "too many people write now: try again", 1);
    refuseHidden([options.word, options.proposer, Object(options.change).word]);
    this.#changes++;
    try {
      const { place, name, spec } = this.#given;
      const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
      return await change(place, { recipe: name, spec, ...given } as never);
    } finally {
      this.#changes--;
      await this.#reload();
    }
  }

  /** What the table would be if the word were accepted with these parts. */
  #forecast({ table, seen, change = {}, seed }: Body): WordForecast {
    const { name, spec } = this.#given;
    const shape = tableShape({ recipe: name, spec }, String(table));
    const before = this.#tables[shape.name];
    const { id } = Object(seen);
    const row = before.find((one) => one.id === id);
    if (row === undefined) throw new Refusal(409, "the table has no longer this word");
    const parts = change as WordParts & { readonly word?: string };
    const { word = row.word } = parts;
    const changed = { ...row, ...partsOf(parts, shape), word, status: "accepted", active: true } as WordInput;
    const others = before.filter((one) => one !== row);
    const after = { ...this.#tables, [shape.name]: [...others, changed] };
    const isAlike = lookAlikesOf(word);
    const lookAlikes = others.filter((other) => isAlike(other.word) !== undefined).map((other) => other.word);
    return { ...forecastOf({ name, spec, seed: String(seed), before: this.#tables, after }), lookAlikes };
  }

  /** Reads the words again. Calls during a load share the next one, so that a slow database gets no queue. */
  #reload(): Promise<void> {
    this.#next ??= this.#loading.then(() => {
      this.#next = undefined;
      this.#loading = this.#load();
      return this.#loading;
    });
    return this.#next;
  }

  /** If this fails, the page keeps the last words. */
  async #load(): Promise<void> {
    try {
      const tables = await load(this.#given, () => undefined);
      const isSame = JSON.stringify(tables) === JSON.stringify(this.#tables);
      this.#tables = tables;
      this.#shown = this.#show(tables);
      this.#problem = "";
      if (!isSame) this.#followers.tell("words");
    } catch (cause) {
      const problem = cause instanceof RollmillError ? cause.issues[0].message : reasonOf(cause);
      if (problem !== this.#problem) this.#given.report(problem);
      this.#problem = problem;
    }
  }
}

// the functions check what the body has
type WordChange = (place: string, options: never) => Promise<ChangedWord>;

/** Why a request is refused, and after how many seconds the client may ask again. */
class Refusal extends Error {
  readonly status: number;
  readonly seconds: number;

  constructor(status: number, message: string, seconds = 0) {
    super(message);
    this.status = status;
    this.seconds = seconds;
  }
}

function seconds(): number {
  return performance.now() / 1000;
}

async function load({ place, name, spec }: ForgeOptions, onIssue: (issue: Issue) => void): Promise<TablesInput> {
  const tables = await loadTables(place, { recipe: name, spec, onIssue });
  specOf(parseTables(tables, { spec }));
  return tables;
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const bytes = Number(request.headers["content-length"]);
  if (Number.isNaN(bytes)) throw new Refusal(411, "the request does not say how long it is");
  if (bytes > MAX_BODY) throw new Refusal(413, `the request is too large: at most ${MAX_BODY} bytes`);
  const text = await readCapped(request, "the request");
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as Body;
  } catch {
    // as for JSON of another kind
  }
  throw new Refusal(400, "the request is not a JSON object");
}

function refuseHidden(texts: readonly unknown[]): void {
  for (const text of texts) {
    if (typeof text !== "string" || unhidden(text) === text) continue;
    const problem = "the text has hidden characters";
    throw new RollmillError([error("recipe.tables", { problem, got: unhidden(text), remedy: "Type it again" })]);
  }
}

function statusOf(code: Code): number {
  if (code === "recipe.duplicate" || code === "recipe.word") return 409;
  return code.startsWith("sql.") || code.startsWith("file.") ? 503 : 400;
}
