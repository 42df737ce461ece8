import type { main } from "../../src/cli/main.js";
import type { RollmillError } from "../../src/errors/index.js";
import type { createJob, exportJob, openJob } from "../../src/jobs/index.js";

interface Library {
  readonly createJob: typeof createJob;
  readonly openJob: typeof openJob;
  readonly exportJob: typeof exportJob;
  readonly main: typeof main;
  readonly RollmillError: typeof RollmillError;
}
export interface Prepared {
  readonly lib: Library;
}
export function prepare(lib: Library, root: string): Promise<Prepared>;
export function runCase(
  prepared: Prepared,
  options: { readonly seed: number; readonly k: number; readonly onCall?: (done: readonly string[]) => void },
): Promise<string | undefined>;
