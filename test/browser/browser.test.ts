import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasNoChromium, launchChromium } from "./chromium.js";
import { createMill, resultsOf, shardSums } from "./page.mjs";
import { resultsOf as mainResultsOf } from "./results.mjs";

const WASM = readFileSync(new URL("../../dist/kernel.wasm", import.meta.url));
const ONE_FILE = readFileSync(new URL("../../dist/rollmill.min.js", import.meta.url));
const RESULTS = readFileSync(new URL("results.mjs", import.meta.url));

/** A page without a bundler. It loads the one-file build as its script does, and keeps what it finds. */
const PLAIN_PAGE = `<!doctype html><title>Rollmill</title>
<script type="module">
  import * as rollmill from "/rollmill.min.js";
  import { resultsOf } from "/results.mjs";
  const { results } = resultsOf(rollmill.createMill({ seed: "moria" }));
  const { results: later } = resultsOf(await rollmill.createMillAsync({ seed: "moria" }));
  globalThis.found = { names: Object.keys(rollmill).sort(), results, later };
</script>`;

/** Compiling on the page's own thread throws; what is compiled elsewhere is a module all the same. */
const NO_SYNC_COMPILATION = `WebAssembly.Module = new Proxy(WebAssembly.Module, {
  construct() { throw new Error("compiled on the main thread"); },
});`;

/** The files that the pages of examples/ load. */
const EXAMPLE_FILE = /^\/((?:dist|examples)\/[\w/.-]+\.(html|js|json|mjs|txt))(?:\?.*)?$/;
const EXAMPLE_TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  mjs: "text/javascript",
  txt: "text/plain",
};

interface Chunk {
  readonly code: string;
  readonly fileName: string;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

let server: Server;
let browser: Browser;
/** The files of the bundle, by name. The page loads the first one; the others are loaded when they are needed. */
let bundle: ReadonlyMap<string, Chunk>;

describe.skipIf(hasNoChromium)("in Chromium (skipped where there is none)", () => {
  beforeAll(async () => {
    bundle = await bundled();
    server = createServer((request, response) => {
      const [type, body] = answerTo(request.url ?? "");
      response.writeHead(type === "" ? 404 : 200, { "content-type": type }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test("the bundle asks for nothing of Node's", () => {
    // the kernel's bytes, which createMillAsync loads when it needs them, are in the bundle too
    for (const { code, imports, dynamicImports } of bundle.values()) {
      expect([...imports, ...dynamicImports].filter((name) => !bundle.has(name))).toEqual([]);
      expect(code).not.toMatch(/\brequire\("|\b(?:from|import\()\s*["'`]node:/);
    }
  });

  test("createMill, which compiles on the main thread, gives what Node gives", async () => {
    const found = await onPage(
      `const { createMill, resultsOf } = await import("/bundle.js");
      return resultsOf(createMill({ seed: "moria" }));`,
    );
    expect(found).toEqual(fromNode());
  });

  test("createMillAsync, which compiles kernel.wasm while it streams, gives what Node gives", async () => {
    const found = await onPage(
      `const { createMillAsync, resultsOf } = await import("/bundle.js");
      const compile = WebAssembly.compileStreaming;
      let streamed = 0;
      WebAssembly.compileStreaming = (source) => { streamed++; return compile(source); };
      ${NO_SYNC_COMPILATION}
      const mill = await createMillAsync({ seed: "moria", kernel: fetch("/kernel.wasm") });
      return { streamed, results: resultsOf(mill) };`,
    );
    expect(found).toEqual({ streamed: 1, results: fromNode() });
  });

  test("createMillAsync with nothing given compiles the library's own bytes", async () => {
    const found = await onPage(
      `const { createMillAsync, resultsOf } = await import("/bundle.js");
      ${NO_SYNC_COMPILATION}
      return resultsOf(await createMillAsync({ seed: "moria" }));`,
    );
    expect(found).toEqual(fromNode());
  });

  test("a Zarr shard has the bytes that it has in Node, and its cells are read back", async () => {
    const found = await onPage(`return (await import("/bundle.js")).shardSums();`);
    const [shard, read, cells] = await shardSums();
    expect(found).toEqual([shard, cells, cells]);
    expect(read).toBe(cells);
  });

  test("a page without a bundler uses the one-file build, which has all of the main entry", async () => {
    const requests: string[] = [];
    const found = await onPage(
      `while (globalThis.found === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
      return globalThis.found;`,
      { path: "/plain.html", onRequest: (path) => requests.push(path) },
    );
    const { results } = mainResultsOf(createMill({ seed: "moria" }));
    const names = Object.keys(await import("../../src/index.js")).sort();
    expect(found).toEqual(JSON.parse(JSON.stringify({ names, results, later: results })));
    expect(requests.sort()).toEqual(["/plain.html", "/results.mjs", "/rollmill.min.js"]);
  });

  test("a kernel that is not there is a typed error", async () => {
    const found = await onPage(
      `const { createMillAsync } = await import("/bundle.js");
      return createMillAsync({ seed: "moria", kernel: fetch("/absent.wasm") }).catch(({ code, message }) => ({ code, message }));`,
    );
    expect(found).toEqual({
      code: "kernel.unsupported",
      message: expect.stringContaining("rollmill/kernel.wasm"),
    });
  });

  test("the example with Web Workers makes the map of one thread, and draws it", async () => {
    const found = await onPage(
      `while (document.body.dataset.state !== "done") await new Promise((resolve) => setTimeout(resolve, 10));
      const { width, height } = document.querySelector("#map");
      return { lines: document.querySelector("#times").textContent.trimEnd().split("\\n"), width, height };`,
      { path: "/examples/browser-worker/index.html?workers=2&steps=20000" },
    );
    const { total } = createMill({ seed: "moria" })
      .walk("land", { walkers: 24, steps: 20_000, preset: "five-ways" })
      .run();
    const [row0, col0, row1, col1] = total.bounds ?? [0, 0, 0, 0];
    const rows = row1 - row0 + 1;
    expect(found).toEqual({
      lines: [
        expect.stringMatching(/^workers: 1, /),
        expect.stringMatching(/^workers: 2, .* s, .* times as fast as one$/),
        `${total.cells} cells, ${total.visits} visits, sha256 ${total.digest()}`,
      ],
      width: col1 - col0 + 1 + (rows >> 1),
      height: rows,
    });
  });

  test("a worker gives what Node gives", async () => {
    const found = await onPage(
      `const source = "import('" + location.origin + "/bundle.js').then(({ createMill, resultsOf }) => "
        + "postMessage(resultsOf(createMill({ seed: 'moria' }))))";
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
      });`,
    );
    expect(found).toEqual(fromNode());
  });
});

/** The results as JSON has them: what comes back from a page. */
function fromNode(): unknown {
  return JSON.parse(JSON.stringify(resultsOf(createMill({ seed: "moria" }))));
}

/** The page to open, and a listener for the paths that it requests. */
interface PageOptions {
  readonly path?: string;
  readonly onRequest?: (path: string) => void;
}

/** Runs the body of an async function on a fresh page, with every error of the page as its own. */
async function onPage(body: string, { path = "/", onRequest }: PageOptions = {}): Promise<unknown> {
  const page: Page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const { port } = server.address() as AddressInfo;
  page.on("request", (request) => onRequest?.(new URL(request.url()).pathname));
  await page.goto(`http://127.0.0.1:${port}${path}`);
  const found = await page.evaluate(`(async () => { ${body} })()`);
  await page.close();
  expect(errors).toEqual([]);
  return found;
}

function answerTo(url: string): [type: string, body: string | Buffer] {
  if (url === "/") return ["text/html", "<!doctype html><title>Rollmill</title>"];
  if (url === "/plain.html") return ["text/html", PLAIN_PAGE];
  const [, file, ending] = EXAMPLE_FILE.exec(url) ?? [];
  const path = new URL(`../../${file}`, import.meta.url);
  if (file !== undefined) return existsSync(path) ? [EXAMPLE_TYPES[ending], readFileSync(path)] : ["", ""];
  if (url === "/rollmill.min.js") return ["text/javascript", ONE_FILE];
  if (url === "/results.mjs") return ["text/javascript", RESULTS];
  const chunk = bundle.get(url.slice(1));
  if (chunk !== undefined) return ["text/javascript", chunk.code];
  return url === "/kernel.wasm" ? ["application/wasm", WASM] : ["", ""];
}

/** The page and the library, as a user's bundler makes them: the compressor of Zarr arrays is in a file of its own. */
async function bundled(): Promise<ReadonlyMap<string, Chunk>> {
  const entry = fileURLToPath(new URL("page.mjs", import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "bundle" } },
  });
  const [{ output: files }] = output as { output: Chunk[] }[];
  return new Map(files.map((file) => [file.fileName, file]));
}
