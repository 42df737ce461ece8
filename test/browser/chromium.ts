import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** First the Chromium of Debian that has no window: it takes half the CPU time. */
const CANDIDATES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);
const executablePath = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));

/** Whether tests are skipped because the system has no Chromium. Under CI they fail. */
export const hasNoChromium = executablePath === undefined && process.env.CI === undefined;

/** How long an action on a page may wait, in milliseconds. The default of Playwright, 30 s, is too short on a busy machine. */
export const LONGEST_WAIT = 300_000;

export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const where = executablePath && { executablePath };
  const browser = await chromium.launch({ ...where, args: ["--no-sandbox", ...args], timeout: LONGEST_WAIT });
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (options) => {
    const page = await newPage(options);
    page.setDefaultTimeout(LONGEST_WAIT);
    return page;
  };
  return browser;
}
