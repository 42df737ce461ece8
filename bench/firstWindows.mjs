// The first window of a world in a new process, and in a new page. The engine has run no function of the library before,
// and all memory is new.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { CHROMIUM, launchBrowser } from "../scripts/workbench-browser.mjs";
import { median } from "./harness.mjs";
import { firstWindow } from "./ours.mjs";

const run = promisify(execFile);
const ROOT = new URL("..", import.meta.url);
const LIBRARY = "/rollmill.min.js";
const STARTS = 9;

/** The median of the times in new processes of Node, in milliseconds. */
export async function firstWindowInNode(spec) {
  const program = firstWindow({ library: "rollmill", spec, report: "console.log(time);" });
  const args = ["--input-type=module", "--eval", program];
  return repeated(async () => Number((await run(process.execPath, args, { cwd: ROOT })).stdout));
}

/** The median of the times in new pages of Chromium, from the end of their load; undefined without Chromium. */
export async function firstWindowInPage(spec) {
  if (CHROMIUM === undefined) return undefined;
  const browser = await launchBrowser();
  const server = serve(firstWindow({ library: LIBRARY, spec, report: "globalThis.time = time;" }));
  try {
    return await repeated(async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      const time = await page.waitForFunction(() => globalThis.time);
      const ms = await time.jsonValue();
      await context.close();
      return ms;
    });
  } finally {
    server.close();
    await browser.close();
  }
}

/** Serves the one-file build, and a page with a program. */
function serve(program) {
  const library = readFileSync(new URL(`dist${LIBRARY}`, ROOT));
  const page = `<!doctype html><title>Rollmill</title><script type="module">${program}</script>`;
  return createServer(({ url }, response) => {
    const [type, body] = url === LIBRARY ? ["text/javascript", library] : ["text/html", page];
    response.writeHead(200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
}

async function repeated(measure) {
  const times = [];
  for (let start = 0; start < STARTS; start++) times.push(await measure());
  return median(times);
}
