import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const PREFIX = "rmtest-";

/**
 * Gives the tests, and the programs that they start, a temporary folder of their own. It is deleted after the last test,
 * so nothing is left, whatever a test or a killed program did not delete.
 */
export function setup(): () => void {
  // each project of vitest.config.ts calls this function
  if (basename(tmpdir()).startsWith(PREFIX)) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // some tests start programs as another user
  chmodSync(folder, 0o755);
  // TMPDIR is the name on Unix; Windows reads TEMP
  process.env.TMPDIR = folder;
  process.env.TEMP = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
