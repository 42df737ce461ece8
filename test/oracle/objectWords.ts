/** The words of objects, one after another, and the decisions that they make: docs/determinism.md, section 5, "Objects". */

import { mBonusOdds } from "../../src/objects/law/mBonus.js";
import type { RandomValue } from "../../src/objects/types.js";
import { type AliasTwin, aliasPick, aliasTwin } from "./alias.js";
import { BelowTemplate } from "./below.js";
import { extraTwin, laneStart, type StreamWords, type TwinKey, xoshiro128pp } from "./words.js";

/** One word that an object read. */
export interface WordRead {
  /** What it decided, in a few words. */
  readonly decision: string;
  /** Its place among the object's words, from 0. */
  readonly index: number;
  readonly word: number;
  /** What was asked of it, such as `below(400)`. */
  readonly asked: string;
  /** The answer; undefined for a word that was read for its place alone. */
  readonly value: number | undefined;
}

const below32 = new BelowTemplate(32);
const [BLOCK, LANES] = [1024, 4];
const aliases = new Map<string, AliasTwin>();
const bonuses = new Map<string, Uint32Array>();

/** The words of one stream for who reads plane by plane from index 0 on: none is made before it is asked for. */
export function wordsInOrder(key: TwinKey): StreamWords {
  let place = "";
  let lanes: Uint32Array[] = [];
  let words: number[] = [];
  return {
    word(plane, index) {
      const block = Math.floor(index / BLOCK);
      if (place !== `${plane} ${block}`) [place, lanes, words] = [`${plane} ${block}`, [], []];
      while (words.length <= index % BLOCK) {
        const lane = words.length % LANES;
        lanes[lane] ??= laneStart(key, { high: Math.floor(plane / 2 ** 32), plane: plane % 2 ** 32, block, lane });
        words.push(xoshiro128pp(lanes[lane]));
      }
      return words[index % BLOCK];
    },
    extra: (plane, index, i) => extraTwin(key, Math.floor(plane / 2 ** 32), plane % 2 ** 32, index, i),
  };
}

/** An object's words in order. Every decision takes the next one. */
export class ObjectWords {
  /** How many words were read. */
  read: number;
  readonly #words: StreamWords;
  readonly #object: number;
  readonly #watch: ((read: WordRead) => void) | undefined;

  /** The words of object `object` from number `from` on; `watch` is told of every one. */
  constructor(
    words: StreamWords,
    { object, from = 0, watch }: { object: number; from?: number; watch?: ((read: WordRead) => void) | undefined },
  ) {
    this.#words = words;
    this.#object = object;
    this.read = from;
    this.#watch = watch;
  }

  /** Uniform on 0 … m − 1. */
  below(m: number, decision: string): number {
    return this.#next(decision, `below(${m})`, (word, extra) => below32.below(word, m, extra));
  }

  /** The place of a weight: the first one that below(total) does not reach beyond. */
  prefixPick(weights: readonly number[], decision: string): number {
    let left = this.below(sum(weights), decision);
    return weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
  }

  /** The place of a weight, by the alias table of all of them. */
  aliasPick(weights: readonly number[], decision: string): number {
    const key = weights.join();
    const table = aliases.get(key) ?? aliasTwin(weights);
    aliases.set(key, table);
    return this.#next(decision, `alias of ${weights.length}`, (word, extra) => aliasPick(table, word, extra));
  }

  /** m_bonus(max, level): the least value whose weights up to and including its own sum to more than half of the word. */
  mBonus(max: number, level: number, decision: string): number {
    const key = `${max} ${level}`;
    const odds = bonuses.get(key) ?? mBonusOdds(max, level);
    bonuses.set(key, odds);
    return this.#next(decision, `m_bonus(${max}, ${level})`, (word) => {
      let reached = 0;
      return odds.findIndex((weight) => {
        reached += weight;
        return reached > Math.floor(word / 2);
      });
    });
  }

  /** B+NdSMm at a level: the dice one by one, then the bonus; a minus before it all negates the sum. */
  roll({ base, dice, sides, bonus, negated }: RandomValue, level: number, decision: string): number {
    let value = base;
    for (let die = 0; die < dice; die++) value += 1 + this.below(sides, `${decision}, d${sides}`);
    if (bonus > 0) value += this.mBonus(bonus, level, `${decision}, M${bonus}`);
    return negated ? 0 - value : value;
  }

  /** Reads a word that decides nothing. */
  skip(decision: string): void {
    const index = this.read++;
    const word = this.#words.word(this.#object, index);
    this.#watch?.({ decision, index, word, asked: "-", value: undefined });
  }

  #next(decision: string, asked: string, decide: (word: number, extra: (i: number) => number) => number): number {
    const index = this.read++;
    const word = this.#words.word(this.#object, index);
    const value = decide(word, (i) => this.#words.extra(this.#object, index, i));
    this.#watch?.({ decision, index, word, asked, value });
    return value;
  }
}

/** The sum of weights. */
export function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
