import { allocateResults } from "../calls/index.js";

/** Memory for reuse. New memory would take more time, because V8 counts it, and then collects garbage more often. */
export class Workspace {
  readonly #arrays = new Map<string, Uint8Array<ArrayBuffer>>();

  /** Returns bytes that may contain old data. A later call with the same name returns them again if they are enough. */
  bytes(name: string, length: number): Uint8Array<ArrayBuffer> {
    const known = this.#arrays.get(name);
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    const made = allocateResults(length, 1, (count) => new Uint8Array(count));
    this.#arrays.set(name, made);
    return made;
  }
}
