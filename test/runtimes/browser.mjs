// The runtimes of a browser: a Vite app, its Web Worker, and pages without a bundler, in the machine's Chromium.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { bundleApp } from "./bundles.mjs";

/** First the Chromium of Debian that has no window: it takes half the CPU time. */
const CANDIDATES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);
const KERNELS = ["inside", "bytes", "response", "module", "url"];
const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** The machine's Chromium, or undefined. */
const executablePath = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));

/**
 * Returns the runtimes of a browser.
 *
 * @param root - The folder with the installed package and the programs.
 * @param expect - Throws if results differ from those of Node 20.
 * @param Missing - The error for a runtime that the machine does not have.
 */
export function browserRuntimes(root, expect, Missing) {
  let built;
  const inApp = async (body) => {
    built ??= bundleApp(root);
    await built;
    return onPage(join(root, "app"), "/index.html", body);
  };
  const inApps = async () => {
    for (const kernel of KERNELS) expect(await inApp(`run("${kernel}")`), `with the kernel ${kernel}`);
  };
  const onPlainPage = async (page) => {
    writePlainPages(root, Missing);
    return onPage(root, page, "run()");
  };
  const checks = {
    "Vite app": inApps,
    "Web Worker": async () => expect(await inApp("runInWorker()"), "in the worker"),
    "page, import map": async () => expect(await onPlainPage("/modules.html"), "from modules"),
    // the one-file build has no sub-path for the core
    "page, one file": async () => expect(await onPlainPage("/file.html"), "from one file", ["core"]),
  };
  const version = async () => {
    if (executablePath === undefined) throw new Missing("no Chromium");
    return withBrowser((browser) => `Chromium ${browser.version()}`);
  };
  return Object.entries(checks).map(([name, check]) => ({ name, version, check }));
}

/** Writes the pages without a bundler: one loads the modules of the package, the other its one-file build. */
function writePlainPages(root, Missing) {
  const { exports } = JSON.parse(readFileSync(join(root, "node_modules/rollmill/package.json"), "utf8"));
  const at = (path) => join("/node_modules/rollmill", path);
  const file = "dist/rollmill.min.js";
  if (!existsSync(join(root, "node_modules/rollmill", file))) throw new Missing(`the package has no ${file}`);
  const modules = Object.entries(exports).flatMap(([entry, target]) =>
    target.default === undefined ? [] : [[join("rollmill", entry), at(target.default)]],
  );
  writePage(join(root, "modules.html"), Object.fromEntries(modules));
  writePage(join(root, "file.html"), { rollmill: at(file) });
}

function writePage(file, imports) {
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(file, `<!doctype html>${map}<script type="module" src="/plain.mjs"></script>`);
}

/** Evaluates an expression on a new page of a server for a folder. Every error of the page counts. */
async function onPage(folder, path, expression) {
  const server = createServer((request, response) => {
    const file = join(folder, normalize(new URL(request.url, "http://localhost").pathname));
    const isThere = existsSync(file) && TYPES[extname(file)] !== undefined;
    response.writeHead(isThere ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    response.end(isThere ? readFileSync(file) : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await withBrowser(async (browser) => {
      const page = await browser.newPage();
      const errors = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(`http://127.0.0.1:${server.address().port}${path}`, { waitUntil: "load" });
      // the load event does not wait for a module that waits itself
      await page.waitForFunction(() => "run" in globalThis, null, { timeout: 30_000 }).catch(() => undefined);
      const results = await page.evaluate(expression).catch(({ message }) => errors.push(message));
      if (errors.length > 0) throw new Error(errors.join("; "));
      return results;
    });
  } finally {
    server.close();
  }
}

async function withBrowser(job) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    return await job(browser);
  } finally {
    await browser.close();
  }
}
