import { MOST_PLACES_AHEAD, PlaceAhead } from "../../kernel/layout.js";
import { DIRECTIONS } from "../directions.js";
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
  /** Number of steps that were taken since the walker in the kernel last moved. */
  taken = 0;
  #found = 0;
  #next = 0;
  readonly #places = new Int32Array(MOST_PLACES_AHEAD * WORDS);

  /** Whether some steps were found in advance, and all were taken. */
  get areUsedUp(): boolean {
    return this.taken > 0 && this.taken === this.#found;
  }

  /** Takes the next of the steps that were found. Returns false if all were taken. */
  take(): boolean {
    if (this.taken >= this.#found) return false;
    this.taken++;
    return true;
  }

  /** The position after the last step that was taken. */
  get position(): WalkerPosition {
    const at = (this.taken - 1) * WORDS;
    const heading = DIRECTIONS[this.#places[at + HEADING]] ?? "resting";
    return { row: this.#places[at + ROW], col: this.#places[at + COL], heading };
  }

  /** Finds the next steps of the walker, which has taken `from`: twice as many as last time, and at most `most`. */
  find(loops: KernelLayer, plane: number, from: number, most: number): void {
    const count = Math.min(this.#next, most);
    this.#next = Math.min(Math.max(1, 2 * this.#next), MOST_PLACES_AHEAD);
    this.#found = count > 0 ? loops.placesAhead(plane, from, count, this.#places) : 0;
  }

  /** Forgets all steps. If some were found in vain, begins with few again. */
  forget(): void {
    if (this.taken < this.#found) this.#next = 0;
    this.taken = 0;
    this.#found = 0;
  }
}
