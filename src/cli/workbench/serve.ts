// Serves the workbench, and the files of one folder, to the browser of the same machine.

import { type FSWatcher, watch } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { error, fail, RollmillError } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";
import { readBytes, readCapped, readWhole } from "../../files/read.js";
import { writeWhole } from "../../files/wholeFile.js";
import { PACKAGE } from "../command.js";
import { answerJob, isJobFolder } from "./jobs.js";
import { end, endJson, Followers, type Route, type Served } from "./route.js";

interface Serving {
  readonly port: number;
  /** The address by which a proxy is reached, such as "https://forge.example". */
  readonly origin?: string | undefined;
}

interface FolderOptions {
  readonly folder: string;
  /** The file to show first, by its name in the folder. */
  readonly first: string | undefined;
  readonly seed: string | undefined;
  readonly canSave: boolean;
}

const PAGE = join(PACKAGE, "dist", "workbench");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};
const TEXTS = new Set([".csv", ".tsv", ".json", ".2da", ".txt"]);
const MAX_FILES = 64;
/** Larger files stay on the disk: the page sends all texts to its worker with each change. */
const MAX_BYTES = 2 ** 20;
const MAX_DEPTH = 4;
/** A program that saves a file writes it in several steps. */
const SETTLE_MILLISECONDS = 50;

/** Without words, serves a folder. Returns the address. `close` ends all connections. */
export async function serveWorkbench(
  serving: Serving & (FolderOptions | { readonly words: Served }),
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const assets = await assetsIn(PAGE);
  const served = "words" in serving ? serving.words : new ServedFolder(serving);
  const server = createServer((request, response) => {
    answer(request, response, { assets, served, server, origin: serving.origin }).catch((cause) => {
      const text = cause instanceof RollmillError ? cause.issues[0].message : reasonOf(cause);
      end(response, 500, text);
    });
  });
  await listen(server, serving.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      served.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((done, refuse) => {
    server.once("error", refuse);
    server.listen(port, "127.0.0.1", done);
  }).catch((cause) => {
    const remedy = "Omit --port, or choose another one";
    fail(error("cli.usage", { problem: `the workbench cannot be served (${reasonOf(cause)})`, got: port, remedy }));
  });
}

interface Answering {
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly served: Served;
  readonly server: Server;
  readonly origin: string | undefined;
}

// no other page may show this one in a frame, and lead its user to click on it
const HEADERS = new Headers({
  "content-security-policy": "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
});

async function answer(request: IncomingMessage, response: ServerResponse, given: Answering): Promise<void> {
  const { assets, served } = given;
  response.setHeaders(HEADERS);
  const { port } = given.server.address() as AddressInfo;
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, given.origin ?? []].flat();
  // a page of another site can lead its own name to this address; its requests have the name as their host
  const isHost = origins.some((origin) => new URL(origin).host === request.headers.host);
  if (!isHost) return end(response, 403, `this address serves ${given.origin ?? "127.0.0.1"} only`);
  const seconds = served.wait(request);
  if (seconds > 0) {
    response.setHeader("retry-after", seconds);
    return end(response, 429, `too many requests: try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`);
  }
  const steps = new URL(request.url ?? "/", "http://localhost").pathname.slice(1).split("/").map(decodeURIComponent);
  const path = steps.join("/") || "index.html";
  const own = served.routes.filter(({ method }) => method === request.method);
  const route = own.find((one) => one.path === path || one.path === `${steps[0]}/`);
  if (route !== undefined) {
    const isOwn = route.method === "GET" || origins.some((origin) => origin === request.headers.origin);
    return isOwn
      ? route.run(request, response, steps.slice(1))
      : end(response, 403, "another page may not change anything here");
  }
  if (request.method !== "GET") return end(response, 405, "unknown method");
  const asset = assets.get(path);
  if (asset === undefined) return end(response, 404, "not found");
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  // the page asks for files only where it is served with some: elsewhere, the request would fail
  const mark = `<meta name="rollmill-files" content="${served.kind}"></head>`;
  response.end(path === "index.html" ? Buffer.from(asset).toString().replace("</head>", mark) : asset);
}

/** Reads all files of the page at once: a new build has files with other names. */
async function assetsIn(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause) => {
    const [problem, remedy] = ["the workbench is not built", "Run `npm run build:workbench`"];
    return fail(error("file.read", { problem: `${problem} (${reasonOf(cause)})`, remedy }));
  });
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const nameOf = (path: string) => relative(folder, path).split(sep).join("/");
  return new Map(await Promise.all(paths.map(async (path) => [nameOf(path), await readBytes(path)] as const)));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** The text files and the jobs of a folder: those that it had when the page asked for them. */
class ServedFolder implements Served {
  readonly kind = "files";
  readonly routes: readonly Route[];
  readonly #given: FolderOptions;
  /** The folders of the jobs, by their names. */
  readonly #jobs = new Map<string, string>();
  #paths = new Map<string, string>();
  #root = "";
  /** The names of the files, by their real paths. */
  #names = new Map<string, string>();
  readonly #followers = new Followers();
  /** The watchers, by the folders that hold the files. */
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Map<string, NodeJS.Timeout>();

  constructor(given: FolderOptions) {
    this.#given = given;
    this.routes = [
      { method: "GET", path: "files", run: (_, response) => this.#list(response) },
      { method: "PUT", path: "files", run: (request, response) => this.#save(request, response) },
      { method: "GET", path: "changes", run: (_, response) => this.#followers.add(response) },
      { method: "GET", path: "jobs/", run: (request, response, steps) => this.#job(request, response, steps) },
    ];
  }

  /** Only the browser of this machine asks. */
  wait(): number {
    return 0;
  }

  async #list(response: ServerResponse): Promise<void> {
    const { first, seed, canSave } = this.#given;
    const files = await this.#texts();
    endJson(response, { files, file: first ?? Object.keys(files)[0], seed, canSave, jobs: [...this.#jobs.keys()] });
  }

  async #job({ headers: { range } }: IncomingMessage, response: ServerResponse, [name, ...path]: readonly string[]) {
    const folder = this.#jobs.get(name);
    if (folder === undefined) return end(response, 404, "not found");
    return answerJob(response, { folder, path, range });
  }

  async #save(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#given.canSave) return end(response, 403, "this page may not save files");
    const { name, text, before } = JSON.parse(await readCapped(request, "the request"));
    const path = typeof name === "string" ? this.#paths.get(name) : undefined;
    if (path === undefined || typeof text !== "string") return end(response, 404, "no such file is served");
    if ((await readWhole(path)) !== before) return end(response, 409, "another program has changed the file");
    await writeWhole(path, text, { shown: name });
    end(response, 200, "saved");
  }

  async #texts(): Promise<Record<string, string>> {
    const { folder, first } = this.#given;
    const paths = new Map<string, string>();
    if (first !== undefined) paths.set(first, join(folder, first));
    this.#jobs.clear();
    if (isJobFolder(folder)) this.#jobs.set(basename(folder), folder);
    else await this.#find(folder, paths, 0);
    this.#paths = paths;
    await this.#follow();
    const texts = Array.from(paths, async ([name, path]) => [name, await readWhole(path, { shown: name })] as const);
    return Object.fromEntries(await Promise.all(texts));
  }

  async #find(folder: string, paths: Map<string, string>, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules" || paths.size >= MAX_FILES) continue;
      if (entry.isDirectory() && isJobFolder(path)) this.#jobs.set(this.#nameOf(path), path);
      else if (entry.isDirectory() && depth < MAX_DEPTH) await this.#find(path, paths, depth + 1);
      const isText = entry.isFile() && TEXTS.has(extname(entry.name).toLowerCase());
      if (!isText || (await stat(path)).size > MAX_BYTES) continue;
      paths.set(this.#nameOf(path), path);
    }
  }

  #nameOf(path: string): string {
    return relative(this.#given.folder, path).split(sep).join("/");
  }

  /** Follows links: a change is heard in the folder of the real file. */
  async #follow(): Promise<void> {
    const named = Array.from(this.#paths, async ([name, path]) => {
      return [await realpath(path).catch(() => path), name] as const;
    });
    this.#root = await realpath(this.#given.folder);
    this.#names = new Map(await Promise.all(named));
    for (const path of this.#names.keys()) this.#watchAbove(path);
  }

  /** Watches the folder of a file, and the folders around it that are served: each of them can go and come again. */
  #watchAbove(path: string): void {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      this.#watch(folder);
      if (folder === this.#root || !isWithin(folder, this.#root)) return;
    }
  }

  // in Node 20 on Linux, a recursive watcher goes on with the old file when a program replaces it by a new one
  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    const heard = (_: string, changed: string | null) => {
      if (changed !== null) this.#heard(join(folder, changed));
    };
    try {
      // an error means that the folder was deleted; the page keeps its last texts
      this.#watchers.set(
        folder,
        watch(folder, { persistent: false }, heard).on("error", () => undefined),
      );
    } catch {
      // the folder is gone: when it comes again, the folder around it changes
    }
  }

  #heard(changed: string): void {
    for (const [folder, watcher] of this.#watchers) {
      if (!isWithin(folder, changed)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const [path, name] of this.#names) {
      if (!isWithin(path, changed)) continue;
      this.#watchAbove(path);
      this.#tellLater(path, name);
    }
  }

  #tellLater(path: string, name: string): void {
    clearTimeout(this.#changed.get(name));
    const timer = setTimeout(async () => {
      this.#changed.delete(name);
      // a file that is gone changes nothing: its text stays in the page
      const text = await readWhole(path, { shown: name }).catch(() => undefined);
      if (text !== undefined) this.#followers.tell({ name, text });
    }, SETTLE_MILLISECONDS);
    this.#changed.set(name, timer);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    for (const timer of this.#changed.values()) clearTimeout(timer);
  }
}
