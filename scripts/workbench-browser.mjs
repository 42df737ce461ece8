// Chromium, and the built workbench in it, for figures and pictures.

import { existsSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { preview } from "vite";

const CANDIDATES = ["chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"].map(
  (name) => `/usr/bin/${name}`,
);

/** The program of the browser; undefined if there is none. */
export const CHROMIUM = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));

export function launchBrowser() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--js-flags=--expose-gc"] });
}

/** Serves dist/workbench and starts the browser. */
export async function openBrowser() {
  const [server, browser] = await Promise.all([
    preview({ root: "workbench", logLevel: "silent", preview: { host: "127.0.0.1", port: 0 } }),
    launchBrowser(),
  ]);
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return { browser, url: server.resolvedUrls.local[0], close };
}

/** The hash of a document of one file. */
export function linkTo(file, text) {
  const document = { files: { [file]: text }, file, seed: "moria", view: {} };
  return `#a2.${deflateRawSync(JSON.stringify(document)).toString("base64url")}`;
}

/** Waits until the results are those of the present text. */
export async function settled(page) {
  await page.waitForSelector('.view[data-state="current"] h2');
}
