import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));

/** Whether tests are skipped because the system has no Chromium. Under CI they fail. */
export const hasNoChromium = executablePath === undefined && process.env.CI === undefined;

export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox", ...args] });
}
