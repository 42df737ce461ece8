import type { ObjectConstants } from "../types.js";
import type { TrackedTheme } from "./slotLaw.js";
import { halfPercentsOf } from "./themes.js";

/** Numbers the sets of tracked affixes that have lines in one theme, in the order of first use. Set 0 is empty. */
export class ThemeParts {
  readonly #theme: TrackedTheme;
  readonly #constants: ObjectConstants["themes"];
  readonly places: (readonly number[])[] = [[]];
  /** For each set, the chance of the theme in units of 0.5 %, if no other theme matches. */
  readonly halfPercents: number[] = [0];
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #numbers = new Map<string, number>();

  constructor(theme: TrackedTheme, { themes }: ObjectConstants) {
    this.#theme = theme;
    this.#constants = themes;
  }

  /** Returns the number of the set with the affix `place` added. The affix must have a line in the theme. */
  after(part: number, place: number): number {
    const known = this.#next[part].get(place);
    if (known !== undefined) return known;
    const places = [...this.places[part], place].sort((a, b) => a - b);
    const added = this.#numbers.get(places.join()) ?? this.#add(places);
    this.#next[part].set(place, added);
    return added;
  }

  #add(places: readonly number[]): number {
    const weights = places.map((place) => this.#theme.weights.get(place) ?? 0);
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const count = weights.filter((one) => one > 0).length;
    const { factor, leastAffixes } = this.#constants;
    this.#numbers.set(places.join(), this.places.length);
    this.#next.push(new Map());
    this.halfPercents.push(count < leastAffixes ? 0 : halfPercentsOf(weight, this.#theme.total, factor));
    return this.places.push(places) - 1;
  }
}
