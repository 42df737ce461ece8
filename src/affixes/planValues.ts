import type { PlanImage } from "../kernel/index.js";
import { MAX_M_BONUS_LEVEL, mBonusOdds } from "./mBonus.js";
import type { RandomValue } from "./types.js";

/** Random values, and the tables of m_bonus that they need: see assembly/kernel/objectValues.ts. */
export class Values {
  readonly #image: PlanImage;
  readonly #bonuses = new Map<number, number>();

  constructor(image: PlanImage) {
    this.#image = image;
  }

  /** The four words of a value. */
  words({ base, dice, sides, bonus, negated }: RandomValue): number[] {
    const sign = negated ? -1 : 1;
    return [sign * base, dice | (sides << 16), bonus === 0 ? 0 : this.bonusTable(bonus), sign];
  }

  /** The offset of the table of m_bonus(`most`, …). */
  bonusTable(most: number): number {
    const known = this.#bonuses.get(most);
    if (known !== undefined) return known;
    const vectors = Math.ceil((most + 1) / 4);
    const numbers = new Uint32Array(4 + (MAX_M_BONUS_LEVEL + 1) * 4 * vectors).fill(2 ** 32 - 1);
    numbers[0] = vectors;
    for (let level = 0; level <= MAX_M_BONUS_LEVEL; level++) {
      let sum = 0;
      for (const [value, weight] of mBonusOdds(most, level).entries()) {
        sum += weight;
        numbers[4 + level * 4 * vectors + value] = sum;
      }
    }
    const offset = this.#image.place(numbers);
    this.#bonuses.set(most, offset);
    return offset;
  }
}
