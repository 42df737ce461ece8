import { allocateResults } from "../calls/index.js";

/**
 * Memory for rectangles, or other data, that are made one after another. What is in this memory is valid until the next
 * one is made. New memory for each of them would take more time: V8 counts it, and then collects garbage.
 */
export class Workspace {
  readonly #arrays = new Map<string, Uint8Array<ArrayBuffer>>();

  /**
   * Returns an array, whose content is undefined. A later call with the same name returns the same memory, if this
   * memory is long enough.
   */
  bytes(name: string, length: number): Uint8Array<ArrayBuffer> {
    const known = this.#arrays.get(name);
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    const made = allocateResults(length, 1, (count) => new Uint8Array(count));
    this.#arrays.set(name, made);
    return made;
  }
}
