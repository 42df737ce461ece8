import { MOST_PLACES_AHEAD, PlaceAhead } from "../../kernel/layout.js";
import { HEADINGS } from "../directions.js";
import type { KernelLayer } from "../kernel.js";
import type { WalkerPosition } from "../types.js";

const WORDS = PlaceAhead.bytes / 4;
const ROW = PlaceAhead.offsets.row / 4;
const COL = PlaceAhead.offsets.col / 4;
const HEADING = PlaceAhead.offsets.heading / 4;

/**
 * The next steps of a run's only walker, found in advance, because a call of the kernel takes far longer than a step. The
 * walker in the kernel, and its visits, stay behind by `taken` steps until a call reads the map.
 */
export class StepsAhead {
  readonly #walker: number;
  #next = 0;
  /** The kernel's window. No call of the kernel overwrites the places in it before {@link forget} or {@link find}. */
  #places = new Uint32Array(0);
  /** Where the place of the walker is in `#places`, and where that after the last step is. */
  #at = 0;
  #last = 0;

  /** @param walker - Number of the run's first walker. */
  constructor(walker: number) {
    this.#walker = walker;
  }

  /** Number of steps that were taken since the walker in the kernel last moved. */
  get taken(): number {
    return this.#at / WORDS;
  }

  /** Whether some steps were found in advance, and all were taken. */
  get areUsedUp(): boolean {
    return this.#at > 0 && this.#at === this.#last;
  }

  /** Takes the next of the steps that were found. Returns false if all were taken. */
  take(): boolean {
    if (this.#at >= this.#last) return false;
    this.#at += WORDS;
    return true;
  }

  /**
   * Returns the position of a walker; undefined if no steps were found in advance, or if the run has no such walker. Reads
   * all values first, so that V8 writes each field only once.
   */
  position(walker: number): WalkerPosition | undefined {
    if (this.#last === 0 || walker !== this.#walker) return undefined;
    const places = this.#places;
    const at = this.#at;
    const row = places[at + ROW] | 0;
    const col = places[at + COL] | 0;
    const heading = HEADINGS[places[at + HEADING]];
    return { row, col, heading };
  }

  /** Finds the next steps of the walker, which has taken `from`: twice as many as last time, and at most `most`. */
  find(loops: KernelLayer, plane: number, from: number, most: number): void {
    const count = Math.min(this.#next, most);
    this.#next = Math.min(Math.max(1, 2 * this.#next), MOST_PLACES_AHEAD);
    this.#last = count > 0 ? loops.placesAhead(plane, from, count) * WORDS : 0;
    this.#places = loops.window;
  }

  /** Forgets all steps. If some were found in vain, begins with few again. */
  forget(): void {
    if (this.#at < this.#last) this.#next = 0;
    this.#at = 0;
    this.#last = 0;
  }
}
