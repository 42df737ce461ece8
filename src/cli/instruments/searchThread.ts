import { parentPort, workerData } from "node:worker_threads";
import { createMillAsync } from "../../index.js";
import type { Segment } from "../../instruments/search.js";
import { type PackedError, packError } from "../../jobs/runner/packedError.js";
import { processIo } from "../processIo.js";
import { type Found, openSearching, type Sought } from "./searching.js";

export interface ThreadData {
  readonly seed: string;
  readonly sought: Sought;
  readonly cwd: string | undefined;
}

export type ThreadAnswer = { readonly found: Found } | { readonly thrown: PackedError };

const { seed, sought, cwd }: ThreadData = workerData;
const io = { ...processIo(), ...(cwd !== undefined && { cwd }) };
const opening = createMillAsync({ seed }).then((mill) => openSearching(io, mill, sought));
// the answer to the first segment reports the error
opening.catch(() => undefined);

parentPort?.on("message", async (segment: Segment) => {
  const answer = await opening
    .then((searching) => searching.in(segment))
    .then(
      (found): ThreadAnswer => ({ found }),
      (cause: unknown): ThreadAnswer => ({ thrown: packError(cause, "a thread of the search") }),
    );
  parentPort?.postMessage(answer);
});
