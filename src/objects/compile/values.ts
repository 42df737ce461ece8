import type { PlanImage } from "../../kernel/index.js";
import type { RandomValue } from "../types.js";
import { MAX_M_BONUS_LEVEL, mBonusOdds } from "./mBonus.js";

/** Vectors of a level that every table has: such are searched without a loop. */
const SIMPLE_VECTORS = 3;
const Bit = { HAS_BONUS: 1, IS_SIMPLE: 2 } as const;

/** Random values, and the tables of m_bonus that they need: see assembly/objects/values.ts. */
export class Values {
  readonly #image: PlanImage;
  readonly #bonuses = new Map<number, number>();

  constructor(image: PlanImage) {
    this.#image = image;
  }

  /** The four words of a value. */
  words({ base, dice, sides, bonus, negated }: RandomValue): number[] {
    const sign = negated ? -1 : 1;
    const isSimple = dice <= 1 && vectorsOf(bonus) === SIMPLE_VECTORS;
    const bits = (bonus > 0 ? Bit.HAS_BONUS : 0) | (isSimple ? Bit.IS_SIMPLE : 0);
    return [sign * base, dice | (Math.max(sides, 1) << 16), this.bonusTable(bonus), (sign & 0xffff) | (bits << 16)];
  }

  /** The offset of the table of m_bonus(`most`, …). */
  bonusTable(most: number): number {
    const known = this.#bonuses.get(most);
    if (known !== undefined) return known;
    const vectors = vectorsOf(most);
    const levels = most === 0 ? 1 : MAX_M_BONUS_LEVEL + 1;
    const numbers = new Uint32Array(4 + levels * 4 * vectors).fill(2 ** 32 - 1);
    numbers.set([vectors, most === 0 ? 0 : 16 * vectors]);
    for (let level = 0; level < levels && most > 0; level++) {
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

/** Vectors of four prefix sums for the values 0 … `most`. */
function vectorsOf(most: number): number {
  return Math.max(SIMPLE_VECTORS, Math.ceil((most + 1) / 4));
}
