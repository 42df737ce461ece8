import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** First the Chromium of Debian that has no window: it takes half the CPU time. */
const CANDIDATES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);
const executablePath = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));

/** Whether tests are skipped because the system has no Chromium. Under CI they fail. */
export const hasNoChromium = executablePath === undefined && process.env.CI === undefined;

export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox", ...args] });
}
