// Serves the workbench, and the files of one folder, to the browser of the same machine.

import { watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, relative, sep } from "node:path";
import { error, fail, RollmillError } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";
import { readBytes, readCapped, readWhole } from "../../files/read.js";
import { writeWhole } from "../../files/wholeFile.js";
import { PACKAGE } from "../command.js";

interface Serving {
  readonly folder: string;
  /** The file to show first, by its name in the folder. */
  readonly first: string | undefined;
  readonly seed: string | undefined;
  readonly port: number;
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

/** Returns the address. `close` ends all connections. */
export async function serveWorkbench(serving: Serving): Promise<{ readonly url: string; close(): Promise<void> }> {
  const assets = await assetsIn(PAGE);
  const folder = new ServedFolder(serving.folder);
  const server = createServer((request, response) => {
    answer(request, response, { ...serving, assets, folder, server }).catch((cause) => {
      const text = cause instanceof RollmillError ? cause.issues[0].message : reasonOf(cause);
      response.writeHead(500, { "content-type": "text/plain" }).end(text);
    });
  });
  await listen(server, serving.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      folder.close();
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

interface Answering extends Omit<Serving, "folder"> {
  readonly assets: ReadonlyMap<string, string>;
  readonly folder: ServedFolder;
  readonly server: Server;
}

async function answer(request: IncomingMessage, response: ServerResponse, given: Answering): Promise<void> {
  const { assets, folder, first, seed, canSave } = given;
  const { port } = given.server.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  // a page of another site can lead its own name to this address; its requests have the name as their host
  if (!hosts.includes(request.headers.host ?? "")) return end(response, 403, "this address serves 127.0.0.1 only");
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(1) || "index.html";
  if (request.method === "PUT" && path === "files") {
    const isOwn = hosts.some((host) => request.headers.origin === `http://${host}`);
    if (!canSave || !isOwn) return end(response, 403, "this page may not save files");
    return save(request, response, folder);
  }
  if (request.method !== "GET") return end(response, 405, "unknown method");
  if (path === "files") {
    const files = await folder.texts(first);
    const document = { files, file: first ?? Object.keys(files)[0], seed, canSave };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    return;
  }
  if (path === "changes") return folder.follow(response);
  const asset = assets.get(path);
  if (asset === undefined) return end(response, 404, "not found");
  response.writeHead(200, { "content-type": TYPES[extname(asset)] ?? "application/octet-stream" });
  // the page asks for files only where it is served with some: elsewhere, the request would fail
  const bytes = await readBytes(asset);
  const served = '<meta name="rollmill-files" content="served"></head>';
  response.end(path === "index.html" ? Buffer.from(bytes).toString().replace("</head>", served) : bytes);
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(text);
}

async function save(request: IncomingMessage, response: ServerResponse, folder: ServedFolder): Promise<void> {
  const { name, text, before } = JSON.parse(await readCapped(request, "the request"));
  const path = folder.pathOf(name);
  if (path === undefined || typeof text !== "string") return end(response, 404, "no such file is served");
  if ((await readWhole(path)) !== before) return end(response, 409, "another program has changed the file");
  await writeWhole(path, text, { shown: name });
  end(response, 200, "saved");
}

async function assetsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause) => {
    const [problem, remedy] = ["the workbench is not built", "Run `npm run build:workbench`"];
    return fail(error("file.read", { problem: `${problem} (${reasonOf(cause)})`, remedy }));
  });
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path).split(sep).join("/"), path]));
}

/** The text files of a folder: those that it had when the page asked for them. */
class ServedFolder {
  readonly #folder: string;
  #paths = new Map<string, string>();
  readonly #following = new Set<ServerResponse>();
  readonly #watcher: ReturnType<typeof watch>;
  #changed = new Map<string, NodeJS.Timeout>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#watcher = watch(folder, { recursive: true, persistent: false }, (_, name) => {
      if (name !== null) this.#heard(name.split(sep).join("/"));
    });
    // an error means that the folder was deleted; the page keeps its last texts
    this.#watcher.on("error", () => undefined);
  }

  pathOf(name: unknown): string | undefined {
    return typeof name === "string" ? this.#paths.get(name) : undefined;
  }

  async texts(first: string | undefined): Promise<Record<string, string>> {
    const paths = new Map<string, string>();
    if (first !== undefined) paths.set(first, join(this.#folder, first));
    await this.#list(this.#folder, paths, 0);
    this.#paths = paths;
    const texts = Array.from(paths, async ([name, path]) => [name, await readWhole(path, { shown: name })] as const);
    return Object.fromEntries(await Promise.all(texts));
  }

  async #list(folder: string, paths: Map<string, string>, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules" || paths.size >= MAX_FILES) continue;
      if (entry.isDirectory() && depth < MAX_DEPTH) await this.#list(path, paths, depth + 1);
      const isText = entry.isFile() && TEXTS.has(extname(entry.name).toLowerCase());
      if (!isText || (await stat(path)).size > MAX_BYTES) continue;
      paths.set(relative(this.#folder, path).split(sep).join("/"), path);
    }
  }

  /** Tells a page of each change, as server-sent events. */
  follow(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": the changes of the files\n\n");
    this.#following.add(response);
    response.on("close", () => this.#following.delete(response));
  }

  #heard(name: string): void {
    const path = this.#paths.get(name);
    if (path === undefined) return;
    clearTimeout(this.#changed.get(name));
    const timer = setTimeout(async () => {
      this.#changed.delete(name);
      // a file that is gone changes nothing: its text stays in the page
      const text = await readWhole(path, { shown: name }).catch(() => undefined);
      if (text === undefined) return;
      for (const response of this.#following) response.write(`data: ${JSON.stringify({ name, text })}\n\n`);
    }, SETTLE_MILLISECONDS);
    this.#changed.set(name, timer);
  }

  close(): void {
    this.#watcher.close();
    for (const timer of this.#changed.values()) clearTimeout(timer);
  }
}
