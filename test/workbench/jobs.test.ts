// The workbench with folders of jobs: finished, half done, damaged, and from a stranger.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveWorkbench } from "../../src/cli/workbench/serve.js";
import { createJob, type JobInput, openJob, startJob } from "../../src/jobs/index.js";
import { launchChromium } from "../browser/chromium.js";
import { rollmill } from "../cli/rollmill.js";
import { EXTENT, JOB, windowOf } from "../jobs/exportedJob.js";
import { isMissing, openPage, textIn } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HOSTILE = '<img src=x onerror="document.title=1">';
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 120_000 });

describe.skipIf(isMissing)("rollmill workbench with jobs", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-workbench-jobs-"));
  const at = (...names: string[]) => join(folder, ...names);
  let browser: Browser;
  const open: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    mkdirSync(at("maps"));
    writeFileSync(at("maps", "loot.csv"), "result,weight\ngold,3\n");
    await startJob(at("maps", "shelf"), { ...JOB, exports: ["pmtiles", "report", "csv"] }, { threads: 1 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    for (const served of open) await served.close();
    rmSync(folder, { recursive: true });
  });

  const serve = async (path: string) => {
    const served = await serveWorkbench({ folder: path, first: undefined, seed: undefined, port: 0, canSave: true });
    open.push(served);
    return served.url;
  };
  /** A copy of the finished job, to be changed. */
  const copyOf = (name: string) => {
    cpSync(at("maps", "shelf"), at(name), { recursive: true });
    return at(name);
  };
  const lines = async (page: Page) => {
    const rows = await page.locator(".job tbody tr").allInnerTexts();
    return rows.map((row) => row.replace(/\s+/g, " ").trim());
  };
  const expectAccessible = async (page: Page) => {
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: object[] }[] };
    expect(violations.map(({ id, nodes }) => [id, JSON.stringify(nodes[0]).slice(0, 300)])).toEqual([]);
  };

  /** Expects the map of the job: the colour in its middle is that of the terrain of the cell that it names there. */
  async function expectMap(page: Page): Promise<void> {
    const frame = page.frameLocator(".job iframe");
    const canvas = frame.locator("canvas");
    await canvas.click();
    const window = windowOf(EXTENT);
    await soon(async () => {
      const [, row, col] = /^row (-?\d+), col (-?\d+)$/.exec((await frame.locator("#cell").textContent()) ?? "") ?? [];
      const color = await canvas.evaluate((one: HTMLCanvasElement) => {
        const pen = one.getContext("2d") as CanvasRenderingContext2D;
        return pen
          .getImageData(one.width / 2, one.height / 2, 1, 1)
          .data.slice(0, 3)
          .join();
      });
      return row !== undefined && color === String(window.terrainAt(Number(row), Number(col))?.color);
    }).toBe(true);
  }

  test.each(["pmtiles", "tiles"] as const)("shows a finished job with the export %s", async (kind) => {
    const path = copyOf(`finished-${kind}`);
    rmSync(join(path, "exports"), { recursive: true });
    expect((await rollmill(["job", "export", path, `--${kind}`, "--report"])).code).toBe(0);
    const { page, check } = await openPage(browser, await serve(path));
    expect(await textIn(page, ".view h2")).toBe(`Job finished-${kind}`);
    const { stdout } = await rollmill(["job", "status", path]);
    await soon(() => lines(page)).toEqual(stdout.trim().replaceAll("\t", " ").split("\n"));
    await expectMap(page);
    await page.click("summary:has-text('Plan')");
    expect(await textIn(page, ".job pre")).toContain('"seed": "moria"');
    await expectAccessible(page);
    const [report] = await Promise.all([page.waitForEvent("popup"), page.click("text=report.html")]);
    await soon(() => report.textContent("h1")).toBe("shelf");
    await page.click("text=Show its world");
    await page.waitForSelector('.world canvas[data-state="whole"]');
    expect(await page.locator(".tabs button").first().textContent()).toBe("world.json");
    expect(await page.inputValue("header label:has-text('Seed') input")).toBe("moria");
    await page.close();
    check();
  });

  test("follows a job until it is finished", async () => {
    const job = await createJob(at("growing"), { ...JOB, exports: ["tiles"] });
    // all tasks of the first phase, and one of the second
    for (const task of [0, 1, 2, 3, 4, 5, 6, 7, 0]) job.work({ task });
    const { page, check } = await openPage(browser, await serve(at("growing")));
    await page.waitForSelector('.job[data-state="stopped"] progress');
    const { stdout } = await rollmill(["job", "status", at("growing")]);
    await soon(() => lines(page)).toEqual(stdout.trim().replaceAll("\t", " ").split("\n"));
    await page.waitForSelector("text=The job has no map yet");
    await expectAccessible(page);
    const done = Number(await page.locator(".job progress").getAttribute("value"));
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(100);
    const result = await job.run({ threads: 1 });
    await page.waitForSelector('.job[data-state="finished"]');
    await soon(() => lines(page)).toContain(`digest ${result?.digest}`);
    await expectMap(page);
    await page.close();
    check();
  });

  test("chooses a job in a folder, and opens its exports", async () => {
    const { page, check } = await openPage(browser, await serve(at("maps")));
    expect(await page.locator(".tabs button").allInnerTexts()).toEqual(["loot.csv"]);
    await page.selectOption("header label:has-text('Job') select", "shelf");
    await page.waitForSelector('.job[data-state="finished"]');
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=placements.csv")]);
    expect(readFileSync(await saved.path())).toEqual(readFileSync(at("maps", "shelf", "exports", "placements.csv")));
    await page.selectOption("header label:has-text('Job') select", { label: "no job" });
    await page.waitForSelector(".view h2:has-text('List')");
    await page.close();
    check();
  });

  test("shows the names of a stranger's job as texts, and gives its pages no access", async () => {
    const { terrain = [], ...rest } = JOB.world as { terrain?: { terrain: string }[] };
    const world = { ...rest, placements: [], realms: [], terrain: [{ ...terrain[3], terrain: HOSTILE }] };
    const input = { ...JOB, name: HOSTILE, world, exports: ["tiles"] } as unknown as JobInput;
    await startJob(at("evil"), input, { threads: 1 });
    const script = "<title>own</title><script>fetch('/files').then(() => { document.title = 'read'; })</script>";
    writeFileSync(at("evil", "exports", "report.html"), script);
    const { page } = await openPage(browser, await serve(at("evil")));
    await soon(() => page.frameLocator(".job iframe").locator("#legend").textContent()).toBe(HOSTILE);
    await soon(() => lines(page)).toContain(`job ${HOSTILE}`);
    expect(await page.locator(".job img").count()).toBe(0);
    expect(await page.frameLocator(".job iframe").locator("img").count()).toBe(0);
    expect(await page.title()).toContain("workbench");
    await page.goto(new URL("jobs/evil/exports/report.html", page.url()).href);
    await page.waitForTimeout(500);
    expect(await page.title()).toBe("own");
    await page.close();
  });

  test.each<[string, (path: string) => void]>([
    ["manifest", (path) => truncateSync(join(path, "manifest.json"), 400)],
    ["result", (path) => writeFileSync(join(path, "result.json"), "{}")],
  ])("says what is damaged: the %s", async (what, damage) => {
    const path = copyOf(`damaged-${what}`);
    damage(path);
    const { page } = await openPage(browser, await serve(path));
    await soon(() => textIn(page, ".job .issues")).toMatch(/damaged/);
    await page.close();
  });

  test("leaves out a map whose page has impossible numbers", async () => {
    const path = copyOf("impossible");
    const file = join(path, "exports", "map-viewer.html");
    writeFileSync(file, readFileSync(file, "utf8").replace('"rows":300', '"rows":1e300'));
    const { page } = await openPage(browser, await serve(path));
    await page.waitForSelector("text=The job has no map yet");
    await page.close();
  });

  describe("serves", () => {
    let url: string;
    beforeAll(async () => {
      const path = copyOf("served");
      writeFileSync(at("secret.txt"), "secret");
      symlinkSync(at("secret.txt"), join(path, "exports", "link.txt"));
      symlinkSync(folder, join(path, "exports", "up"));
      url = await serve(path);
      await fetch(new URL("files", url));
    });

    const get = (path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number | undefined; text: string }>((done, refuse) => {
        const { port } = new URL(url);
        const asked = request({ host: "127.0.0.1", port, path, headers }, async (response) => {
          const pieces: Buffer[] = [];
          for await (const piece of response) pieces.push(piece);
          done({ status: response.statusCode, text: Buffer.concat(pieces).toString("latin1") });
        });
        asked.on("error", refuse).end();
      });

    test.each([
      ["a path that leaves the folder", "/jobs/served/exports/../../secret.txt", 404],
      ["an encoded path that leaves the folder", "/jobs/served/exports/..%2f..%2fsecret.txt", 500],
      ["a link", "/jobs/served/exports/link.txt", 404],
      ["a linked folder", "/jobs/served/exports/up/secret.txt", 500],
      ["a file beside the exports", "/jobs/served/manifest.json", 404],
      ["another job", "/jobs/shelf/status", 404],
      ["a folder", "/jobs/served/exports", 404],
      ["a malformed path", "/jobs/served/%ff", 500],
    ])("not %s", async (_, path, status) => {
      const answer = await get(path);
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain("secret\n");
      expect(answer.text).not.toBe("secret");
    });

    test("nothing for another host", async () => {
      expect((await get("/jobs/served/status", { host: "evil.example" })).status).toBe(403);
    });

    test("parts of a file", async () => {
      const whole = readFileSync(at("served", "exports", "map.pmtiles")).toString("latin1");
      const path = "/jobs/served/exports/map.pmtiles";
      expect(await get(path)).toEqual({ status: 200, text: whole });
      expect(await get(path, { range: "bytes=5-99" })).toEqual({ status: 206, text: whole.slice(5, 100) });
      const end = `bytes=${whole.length - 3}-${whole.length + 90}`;
      expect(await get(path, { range: end })).toEqual({ status: 206, text: whole.slice(-3) });
      expect((await get(path, { range: `bytes=${whole.length}-${whole.length}` })).status).toBe(416);
    });

    test("writes nothing", async () => {
      const before = (await openJob(at("served"))).verify();
      expect(before).toEqual([]);
      expect((await get("/jobs/served/status")).status).toBe(200);
      const { status } = await fetch(new URL("jobs/served/exports/placements.csv", url), { method: "PUT", body: "x" });
      expect(status).toBe(405);
    });
  });
});
