// Strangers propose words of a recipe, and an author decides about them.
import { readFileSync, renameSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Forge } from "../../src/cli/workbench/forge.js";
import { serveWorkbench } from "../../src/cli/workbench/serve.js";
import { createMill } from "../../src/index.js";
import { parseRecipe } from "../../src/recipes/index.js";
import type { TablesInput } from "../../src/recipes/types.js";
import { specOf } from "../../src/spec/index.js";
import { loadTables, saveTables } from "../../src/wordstores/index.js";
import { launchChromium } from "../browser/chromium.js";
import { IS_SOAK } from "../soak.js";
import { DATABASES, newPath, newRecipe, run } from "../wordstores/databases.js";
import { isMissing, openPage, textIn } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HOSTILE = '<img src=x onerror="document.title=1">';
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 120_000 });

const SPEC = specOf(
  parseRecipe(JSON.parse(readFileSync(new URL("../../examples/armory/charm.json", import.meta.url), "utf8"))),
);
const WORDS: TablesInput = {
  gem: [
    { id: 1, word: "jade", luck: 2 },
    { id: 2, word: "onyx", luck: -1 },
    { id: 3, word: "star", luck: 9 },
  ],
  shape: [
    { id: 1, word: "ring", tier: 1, luck: 2 },
    { id: 2, word: "idol", tier: 2, luck: 8 },
  ],
  virtue: [{ id: 1, word: "mercy", luck: 2 }],
};
const FOLDER = { kind: "CSV" as const, title: "CSV", isMissing: false, url: () => newPath("") };
const PLACES = [...DATABASES, FOLDER];
type TestPlace = (typeof PLACES)[number];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Setup {
  readonly words?: TablesInput;
  readonly origin?: string;
  /** The address through which the forge reaches the words. */
  readonly through?: (url: string) => string;
}

async function openForge(
  { kind, url }: TestPlace,
  { words: tables = WORDS, origin, through = (same) => same }: Setup = {},
) {
  const [place, recipe] = [url(), newRecipe()];
  await saveTables(place, tables, { recipe, spec: SPEC });
  if (kind === "PostgreSQL" || kind === "MariaDB") {
    const names = Object.keys(tables).map((table) => `${recipe}_${table}`);
    closing.push(() => run(place, ...names.map((name) => `drop table ${name}`)));
  }
  const reported: string[] = [];
  const given = { place: through(place), name: recipe, spec: SPEC, seed: "moria", isBehindProxy: origin !== undefined };
  const words = await Forge.open({ ...given, report: (problem) => reported.push(problem) });
  const served = await serveWorkbench({ words, port: 0, origin });
  closing.unshift(() => served.close());
  return { place, recipe, reported, url: served.url, secret: words.secret };
}

type Opened = Awaited<ReturnType<typeof openForge>>;

interface Asked {
  readonly secret?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Asks as a page of the server does, unless the headers say otherwise. */
async function ask(
  { url }: Pick<Opened, "url">,
  path: string,
  body?: unknown,
  { secret, headers, method }: Asked = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { port, origin } = new URL(url);
  const own = { origin, ...(text !== undefined && { "content-length": String(Buffer.byteLength(text)) }) };
  const bearer = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((done, refuse) => {
    const options = {
      host: "127.0.0.1",
      port,
      path: `/${path}`,
      method: method ?? (text === undefined ? "GET" : "POST"),
    };
    const asked = request({ ...options, headers: { ...own, ...bearer, ...headers } }, (response) => {
      let said = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        said += part;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, text: said, headers: response.headers }));
    });
    asked.on("error", refuse).end(text);
  });
}

const tablesOf = ({ place, recipe }: Opened) => loadTables(place, { recipe, spec: SPEC });

async function gemOf(opened: Opened, word: string) {
  const { gem } = await tablesOf(opened);
  const row = gem.find((one) => one.word === word);
  if (row === undefined) throw new Error(`no word ${word}`);
  return row;
}

describe.skipIf(isMissing).each(PLACES.map((place) => [place.title, place] as const))("the forge on %s", (_, place) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const words = (page: Page) => page.locator(".words tbody th").allInnerTexts();
  const press = (page: Page, name: string) => page.click(`.words button:text-is("${name}")`);
  const isAccessible = async (page: Page) => {
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: object[] }[] };
    expect(violations.map(({ id, nodes }) => [id, JSON.stringify(nodes[0]).slice(0, 300)])).toEqual([]);
  };

  // the short tests below, and test/wordstores, have every database
  const isShort = !IS_SOAK && place.kind === "MariaDB";
  test.skipIf(place.isMissing || isShort)(
    "a stranger proposes, the author edits and accepts, and the items change",
    async () => {
      const opened = await openForge(place);
      const { page, check } = await openPage(browser, opened.url);
      await soon(() => words(page)).toEqual(["jade", "onyx", "star"]);
      await page.fill('.words input[name="word"]', HOSTILE);
      await page.fill('.words input[name="stat luck"]', "3.5");
      await page.fill('.words input[name="proposer"]', "Ann");
      await press(page, "Propose");
      await soon(() => textIn(page, '.words form p[role="status"]')).toContain(HOSTILE);
      expect(await words(page)).toEqual(["jade", "onyx", "star"]);
      await isAccessible(page);

      const author = await openPage(browser, `${opened.url}#author=${opened.secret}`);
      await soon(() => words(author.page)).toEqual([HOSTILE, "jade", "onyx", "star"]);
      expect(author.page.url()).not.toContain("author");
      expect(await author.page.locator(".words img").count()).toBe(0);
      expect(await textIn(author.page, ".words .scroll")).toContain("Ann");
      await author.page.click(".words tbody button >> nth=0");
      await author.page.waitForSelector('section[aria-label="Forecast"] >> text=items get another name');
      await author.page.fill('form[aria-label="Edit a word"] input[name="word"]', "opal");
      await author.page.waitForSelector('section[aria-label="Forecast"] >> text=opal');
      await isAccessible(author.page);
      expect(await author.page.locator('.words button:text-is("Accept")').isDisabled()).toBe(true);
      await press(author.page, "Save");
      await author.page.waitForSelector("text=Saved.");
      await press(author.page, "Accept");
      await author.page.waitForSelector("text=Accepted.");
      expect(await gemOf(opened, "opal")).toMatchObject({ active: true, luck: 3.5, proposer: "Ann" });
      expect((await gemOf(opened, "opal")).status).toBeUndefined();

      await soon(() => words(page)).toEqual(["jade", "onyx", "star", "opal"]);
      const recipe = createMill({ seed: "moria" }).recipe(opened.recipe, SPEC, { tables: await tablesOf(opened) });
      // the names of recipes differ from run to run, and so do their items: one in 24 may not have the word
      const names = Array.from({ length: 500 }, (_, at) => recipe.make({ at }).name);
      expect(names.some((name) => /opal/i.test(name))).toBe(true);
      await soon(() => page.locator(".shelf h3").allInnerTexts()).toEqual(names.slice(0, 24));
      expect(await page.title()).not.toBe("1");
      await author.page.close();
      await page.close();
      check();
      author.check();
    },
  );

  test.skipIf(place.isMissing)(
    "of two authors at once, the second learns of the first, and nothing is lost",
    async () => {
      const opened = await openForge(place);
      const { secret } = opened;
      await ask(opened, "propose", { table: "gem", word: "opal", stats: { luck: 1 } });
      const seen = await gemOf(opened, "opal");
      const edited = await ask(opened, "edit", { table: "gem", seen, change: { stats: { luck: 4 } } }, { secret });
      expect(edited.status).toBe(200);
      const late = await ask(opened, "accept", { table: "gem", seen }, { secret });
      expect(late).toMatchObject({ status: 409, text: expect.stringContaining("has changed since") });
      expect(await gemOf(opened, "opal")).toMatchObject({ status: "proposed", luck: 4 });

      const { row } = JSON.parse(edited.text);
      const both = ["accept", "reject"].map((verb) => ask(opened, verb, { table: "gem", seen: row }, { secret }));
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 409]);
      expect((await gemOf(opened, "opal")).status).toBe(statuses[0] === 200 ? undefined : "rejected");
    },
  );

  test.skipIf(place.isMissing)(
    "a database that goes away gets a sentence, and is used again when it is back",
    async () => {
      const gate = await openGate(place);
      const opened = await openForge(place, { through: gate.through });
      const proposal = { table: "gem", word: "opal" };
      gate.shut(opened.place);
      const refused = await ask(opened, "propose", proposal);
      expect(refused.status).toBe(503);
      expect(refused.headers["retry-after"]).toBe("5");
      expect(refused.text).toContain("Try again later");
      expect(refused.text).not.toContain(opened.place);
      expect(opened.reported).not.toEqual([]);
      const shown = JSON.parse((await ask(opened, "words")).text);
      expect(shown.tables[0].rows.map(({ word }: { word: string }) => word)).toEqual(["jade", "onyx", "star"]);
      await gate.open(opened.place);
      expect((await ask(opened, "propose", proposal)).status).toBe(200);
      expect(await gemOf(opened, "opal")).toMatchObject({ status: "proposed" });
    },
  );
});

/** Something between the forge and its words that can be shut. */
async function openGate({ kind, url }: TestPlace) {
  const isServer = kind === "PostgreSQL" || kind === "MariaDB";
  const aside = (place: string) => `${place}.aside`;
  if (!isServer) {
    return {
      through: (place: string) => place,
      shut: (place: string) => renameSync(place, aside(place)),
      open: async (place: string) => renameSync(aside(place), place),
    };
  }
  const target = new URL(url());
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(Number(target.port), target.hostname);
    for (const [one, another] of [
      [socket, other],
      [other, socket],
    ]) {
      sockets.add(one);
      one.pipe(another);
      one.on("error", () => another.destroy());
      one.on("close", () => another.destroy());
    }
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const shut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  closing.push(async () => shut());
  return {
    through: (place: string) => place.replace(`:${target.port}/`, `:${port}/`),
    shut,
    open: () => listen(port),
  };
}

describe.skipIf(isMissing)("the server of the forge", () => {
  let opened: Opened;
  let before: TablesInput;
  beforeEach(async () => {
    opened = await openForge(FOLDER);
    before = await tablesOf(opened);
  });

  const word = { table: "gem", word: "opal" };

  test.each([
    ["a stranger who accepts", "accept", { table: "gem", seen: { id: 1, word: "jade" } }, {}, 403],
    ["a stranger who edits", "edit", { table: "gem", seen: { id: 1, word: "jade" }, change: { word: "x" } }, {}, 403],
    ["a stranger who rejects", "reject", { table: "gem", seen: { id: 1, word: "jade" } }, {}, 403],
    ["a stranger who asks for a forecast", "forecast", { table: "gem", seen: { id: 1 } }, {}, 403],
    ["a wrong secret", "accept", { table: "gem", seen: { id: 1, word: "jade" } }, { secret: "x".repeat(32) }, 403],
    ["a wrong secret of one who proposes", "propose", word, { secret: "" }, 403],
    ["a wrong secret of one who reads", "words", undefined, { secret: "x" }, 403],
    ["another origin", "propose", word, { headers: { origin: "https://evil.example" } }, 403],
    ["no origin", "propose", word, { headers: { origin: "null" } }, 403],
    ["another host", "words", undefined, { headers: { host: "evil.example" } }, 403],
    ["another method", "propose", undefined, { method: "DELETE" }, 405],
    ["saving a file", "files", { name: "charm.json", text: "", before: "" }, { method: "PUT" }, 405],
    ["a file of the folder", "gem.csv", undefined, {}, 404],
    ["a large request", "propose", { ...word, proposer: "x".repeat(20_000) }, {}, 413],
    [
      "a request without an end",
      "propose",
      undefined,
      { method: "POST", headers: { "transfer-encoding": "chunked" } },
      411,
    ],
    ["no JSON", "propose", "{", {}, 400],
    ["a number", "propose", "7", {}, 400],
    ["a list", "propose", [], {}, 400],
    ["another table", "propose", { ...word, table: "constructor" }, {}, 400],
    ["no word", "propose", { table: "gem" }, {}, 400],
    ["an empty word", "propose", { ...word, word: " " }, {}, 400],
    ["a long word", "propose", { ...word, word: "x".repeat(257) }, {}, 400],
    ["a long name", "propose", { ...word, proposer: "x".repeat(257) }, {}, 400],
    ["a control character", "propose", { ...word, word: "op\u0007al" }, {}, 400],
    ["a change of the direction", "propose", { ...word, word: "\u202elapo" }, {}, 400],
    ["a name with a change of the direction", "propose", { ...word, proposer: "\u2066Ann" }, {}, 400],
    ["half a character", "propose", { ...word, word: "\ud800" }, {}, 400],
    ["another stat", "propose", { ...word, stats: { glory: 1 } }, {}, 400],
    ["a text as a stat", "propose", { ...word, stats: { luck: "1" } }, {}, 400],
    ["stats that are none", "propose", { ...word, stats: "luck" }, {}, 400],
    ["a status among the stats", "propose", { ...word, stats: { status: "accepted", active: true } }, {}, 400],
    ["an id among the stats", "propose", { ...word, stats: { id: 1 } }, {}, 400],
    ["a tier above 255", "propose", { ...word, tier: 256 }, {}, 400],
    ["a negative weight", "propose", { ...word, weight: -1 }, {}, 400],
    ["a word that is there", "propose", { ...word, word: "jade" }, {}, 409],
  ] as const)("refuses %s", async (_, path, body, asked, status) => {
    const answer = await ask(opened, path, body, asked);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.text).toMatch(/\S+ \S+/);
    expect(await tablesOf(opened)).toEqual(before);
  });

  test("strangers read accepted words only, and not who proposed them", async () => {
    const { secret } = opened;
    await ask(opened, "propose", { ...word, proposer: "Ann" });
    const forStranger = (await ask(opened, "words")).text + (await ask(opened, "files")).text;
    expect(forStranger).not.toMatch(/opal|Ann/);
    await ask(opened, "accept", { table: "gem", seen: await gemOf(opened, "opal") }, { secret });
    const later = (await ask(opened, "words")).text + (await ask(opened, "files")).text;
    expect(later).toMatch(/opal/);
    expect(later).not.toMatch(/Ann/);
    expect((await ask(opened, "words", undefined, { secret })).text).toMatch(/Ann/);
  });

  test("forecasts the odds and the names that an edit of the author gives", async () => {
    const { secret } = opened;
    await ask(opened, "propose", word);
    const seen = await gemOf(opened, "opal");
    const body = { table: "gem", seen, change: { word: "0nyx" }, seed: "moria" };
    const { text } = await ask(opened, "forecast", body, { secret });
    const { changes, items, renamed, names, lookAlikes } = JSON.parse(text);
    const recipe = (tables: TablesInput) => createMill({ seed: "moria" }).recipe(opened.recipe, SPEC, { tables });
    const [old, next] = [
      before,
      { ...before, gem: [...before.gem, { ...seen, word: "0nyx", status: "accepted", active: true }] },
    ];
    const made = [old, next].map((tables) => recipe(tables as TablesInput).makeMany(items));
    const differing = Array.from({ length: items }, (_, k) => made.map((one) => one.name(k))).filter(
      ([a, b]) => a !== b,
    );
    expect([renamed, names]).toEqual([differing.length, differing.slice(0, 6)]);
    // the slot is filled at a roll of 50 or more, and not with the special star, which comes at 99 or more
    const gem = changes.find((one: { part: string; result: string }) => one.part === "gem" && one.result === "0nyx");
    expect(gem).toMatchObject({ before: 0 });
    expect(gem.after).toBeCloseTo((51 / 101) * (99 / 101) * (1 / 4), 10);
    expect(lookAlikes).toEqual(["onyx"]);
    expect(await gemOf(opened, "opal")).toEqual(seen);
  });

  test("a word that breaks the recipe gets a forecast and a decision with the reason", async () => {
    const { secret } = opened;
    await ask(opened, "propose", { ...word, stats: { luck: 3e9 } });
    const seen = await gemOf(opened, "opal");
    for (const path of ["forecast", "accept"]) {
      const answer = await ask(opened, path, { table: "gem", seen, seed: "moria" }, { secret });
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("luck") });
    }
  });

  test("a stranger who proposes too often waits, the author does not, and each answer is true", async () => {
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    while (answers.at(-1)?.status !== 429 && answers.length < 100) {
      answers.push(await ask(opened, "propose", { ...word, word: `opal ${answers.length}` }));
    }
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers["retry-after"])).toBeGreaterThan(0);
    const stored = (await tablesOf(opened)).gem.filter(({ status }) => status === "proposed");
    expect(stored).toHaveLength(answers.length - 1);
    const { secret } = opened;
    expect((await ask(opened, "reject", { table: "gem", seen: stored[0] }, { secret })).status).toBe(200);
  });

  test("behind a proxy, its host and its origin are right, and each client has its own limit", async () => {
    const there = await openForge(FOLDER, { origin: "https://forge.example" });
    const headers = { host: "forge.example", origin: "https://forge.example" };
    const propose = (k: number, client: string) =>
      ask(there, "propose", { ...word, word: `opal ${k}` }, { headers: { ...headers, "x-forwarded-for": client } });
    let [k, status] = [0, 200];
    while (status === 200 && k < 100) status = (await propose(k++, `1.2.3.${k}, 203.0.113.7`)).status;
    expect(status).toBe(429);
    expect((await propose(k, "203.0.113.8")).status).toBe(200);
    expect((await ask(there, "words", undefined, { headers: { host: "other.example" } })).status).toBe(403);
    const wrong = { ...headers, origin: "http://forge.example" };
    expect((await ask(there, "propose", word, { headers: wrong })).status).toBe(403);
  });

  test("keeps no more than 500 open proposals", async () => {
    const gem = Array.from({ length: 500 }, (_, k) => ({ id: k + 10, word: `gem ${k}`, status: "proposed" as const }));
    const full = await openForge(FOLDER, { words: { ...WORDS, gem: [...WORDS.gem, ...gem] } });
    const answer = await ask(full, "propose", word);
    expect(answer).toMatchObject({ status: 429, text: expect.stringContaining("500 proposals") });
    expect((await tablesOf(full)).gem).toHaveLength(503);
    const seen = await gemOf(full, "gem 7");
    await ask(full, "reject", { table: "gem", seen }, { secret: full.secret });
    expect((await ask(full, "propose", word)).status).toBe(200);
  });
});

test("rollmill workbench refuses what it cannot serve", async () => {
  const { rollmill } = await import("../cli/rollmill.js");
  const codeOf = async (...args: string[]) => {
    const { code, stderr } = await rollmill(["workbench", ...args]);
    return [code, /(cli\.usage|sql\.\w+|file\.\w+|recipe\.\w+)/.exec(stderr)?.[1]];
  };
  expect(await codeOf("--tables", "words.json")).toEqual([2, "cli.usage"]);
  expect(await codeOf("--origin", "https://forge.example")).toEqual([2, "cli.usage"]);
  expect(await codeOf("weapon", "--tables", newPath(".json"), "--origin", "https://forge.example/x")).toEqual([
    2,
    "cli.usage",
  ]);
  expect(await codeOf("weapon", "--tables", newPath(".json"))).toEqual([2, "file.read"]);
});
