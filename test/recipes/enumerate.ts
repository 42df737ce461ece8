import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../src/fractions.js";
import type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  ItemOptions,
  RecipeSpec,
  SlotSpec,
  SlotsStepSpec,
  SwingSpec,
  WordRow,
  WordTables,
} from "../../src/recipes/types.js";

/** One way that an item may come out. */
export interface Way {
  readonly words: ReadonlyMap<string, string>;
  readonly outcomes: ReadonlyMap<string, string>;
  /** The strength stat in thousandths, clamped. */
  readonly strength: number;
  readonly chance: Fraction;
}

/** The oracle's dice: each call branches. */
class Dice {
  chance = ONE;
  readonly #path: { choice: number; ways: number }[];
  #at = 0;

  constructor(path: { choice: number; ways: number }[]) {
    this.#path = path;
  }

  choose(chances: readonly Fraction[]): number {
    // what cannot happen is followed in one way only
    const ways = this.chance.numerator === 0n ? 1 : chances.length;
    if (this.#at === this.#path.length) this.#path.push({ choice: 0, ways });
    const { choice } = this.#path[this.#at++];
    this.chance = multiply(this.chance, chances[choice]);
    return choice;
  }

  roll(chance: ChanceSpec, power: number): boolean {
    const thousandths = (value: number) => Math.round(value * 1000);
    const wins = Array.from({ length: 101 }, (_, k) => k * thousandths(power)).filter((value) =>
      "above" in chance ? value > thousandths(chance.above) : value >= thousandths(chance.atLeast),
    ).length;
    const win = fraction(BigInt(wins), 101n);
    return this.choose([win, subtract(ONE, win)]) === 0;
  }

  uniform(n: number): number {
    return this.choose(Array.from({ length: n }, () => fraction(1n, BigInt(n))));
  }
}

/**
 * Every way that an item may come out, by playing the rules as the article's program does, once for each sequence of
 * choices: the oracle of all odds. Numbers have at most three decimals. Only for tiny recipes.
 */
export function enumerate(spec: RecipeSpec, tables: WordTables, options: ItemOptions): Way[] {
  const ways: Way[] = [];
  const path: { choice: number; ways: number }[] = [];
  do {
    const dice = new Dice(path);
    const way = play(spec, tables, options, dice);
    if (dice.chance.numerator !== 0n) ways.push({ ...way, chance: dice.chance });
    while (path.length > 0 && path[path.length - 1].choice === path[path.length - 1].ways - 1) path.pop();
    if (path.length > 0) path[path.length - 1].choice++;
  } while (path.length > 0);
  return ways;
}

/** The chance of all ways that are so. Ways of one denominator are added first: few fractions are left to reduce. */
export function chanceOf(ways: readonly Way[], isSo: (way: Way) => boolean): Fraction {
  const sums = new Map<bigint, bigint>();
  for (const { chance } of ways.filter(isSo)) {
    sums.set(chance.denominator, (sums.get(chance.denominator) ?? 0n) + chance.numerator);
  }
  return [...sums].reduce((sum, [denominator, numerator]) => add(sum, fraction(numerator, denominator)), ZERO);
}

interface Item {
  readonly words: Map<string, string>;
  readonly outcomes: Map<string, string>;
  /** In thousandths. */
  readonly stats: Map<string, number>;
}

function play(spec: RecipeSpec, tables: WordTables, options: ItemOptions, dice: Dice): Omit<Way, "chance"> {
  const item: Item = { words: new Map(), outcomes: new Map(), stats: new Map() };
  const game: Game = { spec, tables, options, dice, item, power: options.power ?? 1 };
  for (const step of spec.steps) {
    if (step.kind === "slots") playSlots(step, game);
    else if (step.kind === "condition") playCondition(step, game);
    else playBonus(step, game);
  }
  const [least, most] = spec.stats.find(({ name }) => name === spec.strength)?.clamp ?? [-1e9, 1e9];
  const strength = Math.min(most * 1000, Math.max(least * 1000, item.stats.get(spec.strength) ?? 0));
  return { words: item.words, outcomes: item.outcomes, strength };
}

interface Game {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
  readonly options: ItemOptions;
  readonly dice: Dice;
  readonly item: Item;
  readonly power: number;
}

function plus({ item }: Game, stat: string, value: number): void {
  item.stats.set(stat, (item.stats.get(stat) ?? 0) + Math.round(value * 1000));
}

function take(game: Game, slot: SlotSpec, row: WordRow, strength: number): void {
  game.item.words.set(slot.slot, row.word);
  plus(game, game.spec.strength, strength);
  for (const [stat, value] of Object.entries(row.stats)) plus(game, stat, value);
}

function playSlots(step: SlotsStepSpec, game: Game): void {
  const { dice, power } = game;
  const asked = step.slots.map((slot) => requested(slot, game));
  const rolled = step.chance === undefined || dice.roll(step.chance, power);
  if (!rolled && asked.every((row) => row === undefined)) return;
  const random = new Set<string>();
  const ids = new Map<string, number>();
  step.slots.forEach((slot, i) => {
    const row = asked[i] ?? randomRow(slot, game, random, ids);
    if (row === undefined) return;
    const special = asked[i] === undefined ? !random.has(slot.slot) : slot.special?.word === row.word;
    take(game, slot, row, special ? (slot.special?.strength ?? 0) : slot.strength);
    ids.set(slot.slot, row.id);
  });
}

function rowsOf({ table }: SlotSpec, { tables }: Game): readonly WordRow[] {
  return tables.get(table)?.rows ?? [];
}

function requested(slot: SlotSpec, game: Game): WordRow | undefined {
  return rowsOf(slot, game).find(({ word }) => word === game.options.request?.[slot.slot]);
}

function randomRow(slot: SlotSpec, game: Game, random: Set<string>, ids: Map<string, number>): WordRow | undefined {
  const { dice, power, options } = game;
  if (slot.after !== undefined && !random.has(slot.after)) return undefined;
  if (slot.chance !== undefined && !dice.roll(slot.chance, power)) return undefined;
  const { special } = slot;
  if (special !== undefined && dice.roll(special.chance, power)) {
    return rowsOf(slot, game).find(({ word }) => word === special.word);
  }
  random.add(slot.slot);
  let rows = rowsOf(slot, game).filter(({ active }) => active);
  const { tier = 0, tierVariance = 0 } = options;
  if (slot.tiers !== undefined && tier !== 0) {
    const variance = tierVariance > 0 ? swing(slot.tiers, dice) : 0;
    rows = rows.filter((row) => row.tier >= tier - variance && row.tier <= tier + variance);
  }
  if (slot.differentFrom !== undefined) rows = rows.filter(({ id }) => id !== ids.get(slot.differentFrom ?? ""));
  const weights = rows.map((row) => BigInt(Math.round(weightOf(row, game) * 1000)));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return rows[dice.choose(weights.map((weight) => fraction(weight, total)))];
}

function weightOf({ stats }: WordRow, { spec }: Game): number {
  return spec.weight === undefined ? 1 : (stats[spec.weight] ?? 1);
}

function swing(tiers: readonly SwingSpec[], dice: Dice): number {
  const counts = new Map<number, bigint>();
  for (let k = 0; k <= 100; k++) {
    const variance = tiers.find(({ atLeast }) => k >= atLeast)?.variance ?? 0;
    counts.set(variance, (counts.get(variance) ?? 0n) + 1n);
  }
  return [...counts.keys()][dice.choose([...counts.values()].map((count) => fraction(count, 101n)))];
}

function playCondition(step: ConditionStepSpec, game: Game): void {
  const { dice, power, item } = game;
  const value = item.stats.get(step.stat) ?? 0;
  // half away from zero, in whole numbers
  const most = Math.sign(value) * Math.floor((Math.abs(value) * Math.round(step.share * 1000)) / 1_000_000 + 0.5);
  const c = 1000 * Math.sign(most) * dice.uniform(Math.abs(most) + 1);
  if (dice.roll(step.doubled, power)) {
    item.stats.set(step.stat, value * 2);
    item.outcomes.set(step.name, "doubled");
    return;
  }
  const isUp = dice.roll(step.up, power);
  item.stats.set(step.stat, isUp ? value + c : value - c);
  item.outcomes.set(step.name, isUp ? "up" : "down");
}

function playBonus(step: BonusStepSpec, game: Game): void {
  const { dice, power, item } = game;
  if (!dice.roll(step.chance, power)) return;
  const m = 1 + dice.uniform(step.sides);
  for (const { atLeast = 1, text, add: adds } of step.ladder) {
    if (m < atLeast) continue;
    item.outcomes.set(step.name, text);
    for (const [stat, value] of Object.entries(adds)) plus(game, stat, value);
    return;
  }
}
