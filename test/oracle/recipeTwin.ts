/** Items by the rules of recipes, one at a time and one decision after another: numbers in BigInt, words by address. */

import type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  ItemOptions,
  RecipeSpec,
  SlotSpec,
  SlotsStepSpec,
  WordRow,
  WordTables,
} from "../../src/recipes/types.js";
import { BelowTemplate } from "./below.js";
import type { StreamWords } from "./words.js";

/** below(m) on a plane, for one item: where all of its randomness comes from. */
export type Decide = (plane: number, m: number) => number;

/** An item as columns have it: words and outcomes as their numbers, stats in units of their last decimal place. */
export interface TwinItem {
  readonly words: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly stats: Readonly<Record<string, bigint>>;
  readonly name: string;
}

const below32 = new BelowTemplate(32);
const STEP_PLANES = 16;
const SIDES = 101;

/** The decisions of item `index`. */
export function decisionsOf(words: StreamWords, index: number): Decide {
  return (plane, m) => below32.below(words.word(plane, index), m, (i) => words.extra(plane, index, i));
}

/** A number's shortest decimal form as `digits` · 10^−`places`. */
export function decimal(value: number): { digits: bigint; places: number } {
  const parts = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (parts === null) throw new Error(`${value} has no decimal form`);
  const [, whole, part = "", exponent = "0"] = parts;
  const places = part.length - Number(exponent);
  const digits = BigInt(whole + part);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

/** A number times 10^`places`, which makes it an integer. */
export function scaled(value: number, places: number): bigint {
  const { digits, places: own } = decimal(value);
  return digits * 10n ** BigInt(places - own);
}

/** Whether a roll succeeds: roll · power against the threshold, exactly. */
export function succeeds(roll: number, power: number, chance: ChanceSpec): boolean {
  const strict = "above" in chance;
  const threshold = strict ? chance.above : chance.atLeast;
  const places = Math.max(decimal(power).places, decimal(threshold).places);
  const reached = BigInt(roll) * scaled(power, places);
  return strict ? reached > scaled(threshold, places) : reached >= scaled(threshold, places);
}

/** `value` · `share`, both decimals, rounded to an integer half away from zero. */
export function roundedShare(value: bigint, places: number, share: number): bigint {
  const { digits, places: own } = decimal(share);
  const product = value * digits;
  const one = 10n ** BigInt(places + own);
  const magnitude = (2n * (product < 0n ? -product : product) + one) / (2n * one);
  return product < 0n ? -magnitude : magnitude;
}

/** Decimal places of each stat: as many as anything that it meets needs. */
export function placesOf(spec: RecipeSpec, tables: WordTables): Map<string, number> {
  const met = new Map(spec.stats.map(({ name, clamp = [] }) => [name, [...clamp]]));
  const meet = (stat: string, value = 0) => met.get(stat)?.push(value);
  for (const step of spec.steps) {
    if (step.kind === "slots") {
      for (const { table, strength, special } of step.slots) {
        meet(spec.strength, strength);
        meet(spec.strength, special?.strength);
        for (const { stats } of tables.get(table)?.rows ?? []) for (const stat of met.keys()) meet(stat, stats[stat]);
      }
    } else if (step.kind === "bonus") {
      for (const { add } of step.ladder) for (const stat of met.keys()) meet(stat, add[stat]);
    }
  }
  return new Map([...met].map(([stat, values]) => [stat, Math.max(0, ...values.map((v) => decimal(v).places))]));
}

/** The column that has the words' weights, if there is one. */
function columnOf({ stats, weight }: RecipeSpec): string | undefined {
  return weight ?? (stats.some(({ name }) => name === "weight") ? undefined : "weight");
}

function weightOf({ stats }: WordRow, column: string | undefined): number {
  return column === undefined ? 1 : (stats[column] ?? 1);
}

/** The weights of rows, as the smallest integers in the same proportions. */
function weightsOf(rows: readonly WordRow[], column: string | undefined): bigint[] {
  const written = rows.map((row) => weightOf(row, column));
  const places = Math.max(0, ...written.map((weight) => decimal(weight).places));
  const integers = written.map((weight) => scaled(weight, places));
  const divisor = integers.reduce((a, b) => commonDivisor(a, b), 0n);
  return integers.map((integer) => integer / divisor);
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b);
}

/** Makes items of a recipe by their decisions. */
export function recipeTwin(spec: RecipeSpec, tables: WordTables, options: ItemOptions): (decide: Decide) => TwinItem {
  const places = placesOf(spec, tables);
  const sorted = new Map([...tables].map(([name, { rows }]) => [name, rows.toSorted((a, b) => a.id - b.id)]));
  return (decide) => new Maker({ spec, options, places, rows: sorted }, decide).make();
}

/** What is the same for all items. */
interface Common {
  readonly spec: RecipeSpec;
  readonly options: ItemOptions;
  readonly places: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, readonly WordRow[]>;
}

interface Filled {
  readonly row: WordRow;
  readonly how: "requested" | "special" | "random";
}

class Maker {
  readonly #spec: RecipeSpec;
  readonly #options: ItemOptions;
  readonly #places: ReadonlyMap<string, number>;
  readonly #tables: ReadonlyMap<string, readonly WordRow[]>;
  readonly #decide: Decide;
  /** The column of weights. */
  readonly #column: string | undefined;
  readonly #words: Record<string, number> = Object.create(null);
  readonly #outcomes: Record<string, number> = Object.create(null);
  readonly #sums: Map<string, bigint>;
  #name = "";
  #bonuses = "";

  constructor({ spec, options, places, rows }: Common, decide: Decide) {
    this.#spec = spec;
    this.#options = options;
    this.#places = places;
    this.#tables = rows;
    this.#decide = decide;
    this.#column = columnOf(spec);
    this.#sums = new Map(spec.stats.map(({ name }) => [name, 0n]));
  }

  make(): TwinItem {
    for (const [index, step] of this.#spec.steps.entries()) {
      let next = STEP_PLANES * index;
      const decision = () => next++;
      if (step.kind === "slots") this.#slots(step, decision);
      else if (step.kind === "condition") this.#condition(step, decision);
      else this.#bonus(step, decision);
    }
    for (const { name, clamp } of this.#spec.stats) {
      if (clamp === undefined) continue;
      const [least, most] = clamp.map((end) => scaled(end, this.#placesOf(name)));
      if (this.#sum(name) < least) this.#sums.set(name, least);
      if (this.#sum(name) > most) this.#sums.set(name, most);
    }
    const name = (this.#name + this.#bonuses).trim();
    return { words: this.#words, outcomes: this.#outcomes, stats: Object.fromEntries(this.#sums), name };
  }

  /** Every decision is numbered, whether it is asked for or not. */
  #slots(step: SlotsStepSpec, decision: () => number): void {
    const { power = 1 } = this.#options;
    const asked = step.slots.map((slot) => this.#requested(slot));
    const gate = step.chance && { plane: decision(), chance: step.chance };
    const rolled = gate === undefined || succeeds(this.#decide(gate.plane, SIDES), power, gate.chance);
    const open = rolled || asked.some((row) => row !== undefined);
    if (open) this.#name += step.text ?? "";
    const filled = new Map<string, Filled>();
    for (const [i, slot] of step.slots.entries()) {
      const word = this.#slot(slot, { row: asked[i], open, filled, decision });
      if (word !== undefined) filled.set(slot.slot, word);
      this.#words[slot.slot] = this.#take(slot, word);
    }
  }

  #requested({ slot, table, after }: SlotSpec): WordRow | undefined {
    const word = this.#options.request?.[slot];
    if (word !== undefined && after !== undefined) throw new Error(`${slot} cannot be requested`);
    return this.#rows(table).find((row) => row.word === word);
  }

  #slot(
    slot: SlotSpec,
    step: { row: WordRow | undefined; open: boolean; filled: ReadonlyMap<string, Filled>; decision: () => number },
  ): Filled | undefined {
    const { power = 1 } = this.#options;
    const swing = slot.tiers && step.decision();
    const chance = slot.chance && { plane: step.decision(), chance: slot.chance };
    const special = slot.special && { plane: step.decision(), ...slot.special };
    const pick = step.decision();
    const follows = slot.after === undefined || step.filled.get(slot.after)?.how === "random";
    if (!step.open || !follows) return undefined;
    if (step.row !== undefined) return { row: step.row, how: "requested" };
    if (chance && !succeeds(this.#decide(chance.plane, SIDES), power, chance.chance)) return undefined;
    if (special && succeeds(this.#decide(special.plane, SIDES), power, special.chance)) {
      const row = this.#rows(slot.table).find(({ word }) => word === special.word);
      if (row === undefined) throw new Error(`${special.word} is missing`);
      return { row, how: "special" };
    }
    const other = slot.differentFrom === undefined ? undefined : step.filled.get(slot.differentFrom)?.row;
    return { row: this.#pick(this.#candidates(slot, swing), other, pick), how: "random" };
  }

  /** Counts through the candidates but `other`, each as long as its weight, in the smallest integers. */
  #pick(candidates: readonly WordRow[], other: WordRow | undefined, plane: number): WordRow {
    const weights = weightsOf(candidates, this.#column);
    const left = candidates.map((row, i) => (row === other ? 0n : weights[i]));
    const total = left.reduce((sum, weight) => sum + weight, 0n);
    let x = BigInt(this.#decide(plane, Number(total)));
    for (const [i, row] of candidates.entries()) {
      if (x < left[i]) return row;
      x -= left[i];
    }
    throw new Error("there are no candidates");
  }

  #candidates({ table, tiers }: SlotSpec, swing: number | undefined): WordRow[] {
    const { tier = 0, tierVariance = 0 } = this.#options;
    const active = this.#rows(table).filter((row) => row.active && weightOf(row, this.#column) > 0);
    if (tiers === undefined || swing === undefined || tier === 0) return active;
    const roll = tierVariance > 0 ? this.#decide(swing, SIDES) : -1;
    const variance = tiers.find(({ atLeast }) => roll >= atLeast)?.variance ?? 0;
    return active.filter((row) => row.tier >= tier - variance && row.tier <= tier + variance);
  }

  /** Adds what a word brings; its number in the slot's column. */
  #take(slot: SlotSpec, filled: Filled | undefined): number {
    if (filled === undefined) return 0;
    const { row, how } = filled;
    const special = how !== "random" && slot.special?.word === row.word ? slot.special : undefined;
    for (const { name } of this.#spec.stats) this.#add(name, row.stats[name] ?? 0);
    this.#add(this.#spec.strength, special?.strength ?? slot.strength);
    this.#name += `${slot.text ?? ""}${capitalised(row.word)} `;
    const rows = this.#rows(slot.table);
    return special === undefined ? rows.indexOf(row) + 1 : rows.length + 1;
  }

  #condition({ name, stat, share, doubled, up }: ConditionStepSpec, decision: () => number): void {
    const { power = 1 } = this.#options;
    const [amount, doubling, raising] = [decision(), decision(), decision()];
    const places = this.#placesOf(stat);
    const before = this.#sum(stat);
    const most = roundedShare(before, places, share);
    const size = BigInt(this.#decide(amount, Number(most < 0n ? -most : most) + 1));
    const c = (most < 0n ? -size : size) * 10n ** BigInt(places);
    const outcome = succeeds(this.#decide(doubling, SIDES), power, doubled)
      ? 2
      : succeeds(this.#decide(raising, SIDES), power, up)
        ? 1
        : 0;
    this.#outcomes[name] = outcome;
    this.#sums.set(stat, before + [-c, c, before][outcome]);
  }

  #bonus({ name, chance, sides, ladder }: BonusStepSpec, decision: () => number): void {
    const { power = 1 } = this.#options;
    const [gate, roll] = [decision(), decision()];
    this.#outcomes[name] = 0;
    if (!succeeds(this.#decide(gate, SIDES), power, chance)) return;
    const value = 1 + this.#decide(roll, sides);
    const rung = ladder.findIndex(({ atLeast = 1 }) => value >= atLeast);
    this.#outcomes[name] = rung + 1;
    this.#bonuses += ladder[rung].text;
    for (const [stat, value] of Object.entries(ladder[rung].add)) this.#add(stat, value);
  }

  #add(stat: string, value: number): void {
    this.#sums.set(stat, this.#sum(stat) + scaled(value, this.#placesOf(stat)));
  }

  #sum(stat: string): bigint {
    const sum = this.#sums.get(stat);
    if (sum === undefined) throw new Error(`there is no stat ${stat}`);
    return sum;
  }

  #placesOf(stat: string): number {
    return this.#places.get(stat) ?? 0;
  }

  #rows(table: string): readonly WordRow[] {
    return this.#tables.get(table) ?? [];
  }
}

/** PHP's ucwords(strtolower(word)), for letters of ASCII. */
export function capitalised(word: string): string {
  const parts = word.toLowerCase().split(/([ \t\r\n\f\v]+)/);
  return parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join("");
}
