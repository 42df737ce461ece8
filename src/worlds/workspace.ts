import { allocateResults } from "../calls/index.js";

/** Memory that is used again for the next data. New memory would take more time: V8 counts it, and collects garbage. */
export class Workspace {
  readonly #arrays = new Map<string, Uint8Array<ArrayBuffer>>();

  /** Returns bytes with any content. A later call with the same name returns the same bytes, if they are enough. */
  bytes(name: string, length: number): Uint8Array<ArrayBuffer> {
    const known = this.#arrays.get(name);
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    const made = allocateResults(length, 1, (count) => new Uint8Array(count));
    this.#arrays.set(name, made);
    return made;
  }
}
