import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { hasNoChromium, launchChromium } from "./chromium.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript" };
/** The headers that let a page share memory. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const [PICKS, STEPS] = [100_000_000, 200_000];
const LOOT = { gold: 70, gem: 25, crown: 5 };
const WALK = { preset: "five-ways", walkers: 24, steps: STEPS } as const;

/** Counts and walks in two workers. Meanwhile, frames are drawn and timers run. */
const PAGE = `
  const { openThreads } = await import("/threads.js");
  const mill = await openThreads({ seed: "moria", threads: 2 });
  const loot = mill.weighted("loot", ${JSON.stringify(LOOT)});
  const seen = { frames: 0, timers: 0, reports: 0, isDone: false };
  const frame = () => { seen.frames++; if (!seen.isDone) requestAnimationFrame(frame); };
  const timer = () => { seen.timers++; if (!seen.isDone) setTimeout(timer); };
  frame();
  timer();
  const { counts } = await mill.inThreads(loot).count(${PICKS}, { onProgress: () => seen.reports++ });
  const map = await mill.inThreads(mill.walk("isle", ${JSON.stringify(WALK)})).run();
  seen.isDone = true;
  const picks = await mill.inThreads(loot).pickMany(200_000, { from: 5 });
  const isShared = typeof SharedArrayBuffer === "function";
  const list = mill.weighted("list", [5, 0, 1, 10, 1]);
  const shared = isShared ? await mill.inThreads(list).pickInto(new Uint32Array(new SharedArrayBuffer(800_000))) : [];
  const stopped = new AbortController();
  const onProgress = () => stopped.abort("enough");
  const reason = await mill.inThreads(loot).count(1e12, { signal: stopped.signal, onProgress }).catch((thrown) => thrown);
  await mill.close();
  const closed = await mill.inThreads(loot).count(5).catch(({ code }) => code);
  globalThis.found = {
    ...seen,
    counts: [...counts],
    digest: map.total.digest(),
    entries: [...picks.entries],
    isShared,
    shared: [...shared],
    reason,
    closed,
  };`;

interface Found {
  readonly frames: number;
  readonly timers: number;
  readonly reports: number;
  readonly entries: readonly number[];
  readonly shared: readonly number[];
}

describe.skipIf(hasNoChromium)("a page that counts in threads", () => {
  const bundled = mkdtempSync(join(tmpdir(), "rollmill-threads-"));
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    await build({
      root: bundled,
      logLevel: "error",
      configFile: false,
      base: "/bundled/",
      resolve: { alias: { "rollmill/threads": join(ROOT, "dist/threads/index.js") } },
      plugins: [
        {
          name: "entry",
          resolveId: (id) => (id === "entry" ? "\0entry" : undefined),
          load: (id) => (id === "\0entry" ? 'export { openThreads } from "rollmill/threads";' : undefined),
        },
      ],
      build: {
        outDir: join(bundled, "out"),
        rolldownOptions: {
          input: "entry",
          preserveEntrySignatures: "strict",
          output: { entryFileNames: "threads.js" },
        },
      },
    });
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://localhost");
      // /isolated/ has the package as it is, and /bundled/ what Vite makes of it
      const [, folder, ...path] = pathname.split("/");
      const file = join(folder === "isolated" ? join(ROOT, "dist") : join(bundled, "out"), ...path);
      const page = `<!doctype html><script type="module">${PAGE.replace("/threads.js", folder === "isolated" ? "/isolated/threads/index.js" : "/bundled/threads.js")}</script>`;
      const isPage = path.at(-1) === "page.html";
      const headers = { "content-type": TYPES[pathname.slice(pathname.lastIndexOf(".") + 1)] ?? "text/plain" };
      if (path.length === 0 || (!isPage && !existsSync(file))) response.writeHead(404).end();
      else {
        response.writeHead(200, folder === "isolated" ? { ...headers, ...ISOLATED } : headers);
        response.end(isPage ? page : readFileSync(file));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(bundled, { recursive: true, force: true });
  });

  test.each([
    ["with shared memory, without a bundler", "isolated", true],
    ["without shared memory, from Vite", "bundled", false],
  ])("%s, has the results of Node, and draws frames meanwhile", async (_, folder, isShared) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/${folder}/page.html`);
    const isDone = page.waitForFunction("globalThis.found !== undefined", undefined, { timeout: 300_000 });
    const hasFailed = page.waitForEvent("pageerror", { timeout: 300_000 }).catch(() => undefined);
    await Promise.race([isDone, hasFailed]);
    expect(errors).toEqual([]);
    const { frames, timers, reports, entries, shared, ...found } = (await page.evaluate("globalThis.found")) as Found;
    const mill = createMill({ seed: "moria" });
    const loot = mill.weighted("loot", LOOT);
    expect(found).toEqual({
      isDone: true,
      counts: [...loot.count(PICKS, { from: 0 }).counts],
      digest: mill.walk("isle", WALK).run().total.digest(),
      isShared,
      reason: "enough",
      closed: "argument.disposed",
    });
    expect(Uint32Array.from(entries)).toEqual(loot.pickMany(200_000, { from: 5 }).entries);
    const list = mill.weighted("list", [5, 0, 1, 10, 1]);
    expect(Uint32Array.from(shared)).toEqual(list.pickMany(isShared ? 200_000 : 0, { from: 0 }));
    // if the work had held up the page, it would have drawn one frame
    expect(reports).toBeGreaterThan(4);
    expect(frames).toBeGreaterThan(4);
    expect(timers).toBeGreaterThan(4);
    await page.close();
  });
});
