import type { Items } from "../../src/recipes/items.js";
import type { ChanceSpec, WordTables } from "../../src/recipes/types.js";
import { succeeds } from "../oracle/recipeTwin.js";

/** A frequency to compare with its law; `wrong` are laws that the counts must not be compatible with. */
export interface Frequency {
  readonly counts: readonly number[];
  readonly law: readonly number[];
  readonly wrong: readonly (readonly number[])[];
}

/** The chance of a roll at a power: its 101 values, tried one by one. */
function chanceOf(chance: number | ChanceSpec, power: number): number {
  const spec = typeof chance === "number" ? { atLeast: chance } : chance;
  return Array.from({ length: 101 }, (_, k) => k).filter((k) => succeeds(k, power, spec)).length / 101;
}

/** Not the same as from 39 on, where the power is no integer. */
const UP = { above: 38 };

/** Counts of weapons by all that is decided about them. */
export class WeaponCounts {
  weapons = 0;
  /** [element][second element], by their numbers; prefix, type; [adjective][abstract]. */
  readonly elements: number[][];
  readonly prefixes: number[];
  readonly types: number[];
  readonly attributes: number[][];
  readonly conditions = [0, 0, 0];
  readonly bonuses = [0, 0, 0, 0, 0, 0];
  /** [type][c], for raised and lowered weapons that nothing but their type has given attack. */
  readonly changes: number[][];
  /** Element (none, one, two, crippling) · prefix · condition · bonus. */
  readonly joint: number[] = new Array(4 * 2 * 3 * 6).fill(0);
  readonly attacks = new Map<number, number>();
  readonly strengths = new Map<number, number>();
  readonly #tables: WordTables;

  constructor(tables: WordTables) {
    const size = (table: string) => (tables.get(table)?.rows.length ?? 0) + 2;
    const zeros = (n: number) => new Array<number>(n).fill(0);
    this.#tables = tables;
    this.elements = zeros(size("element")).map(() => zeros(size("element")));
    this.prefixes = zeros(size("prefix"));
    this.types = zeros(size("type"));
    this.attributes = zeros(size("adjective")).map(() => zeros(size("abstract")));
    this.changes = zeros(size("type")).map(() => zeros(20));
  }

  add(items: Items): void {
    const { element, secondElement, prefix, type, adjective, abstract } = items.words;
    const { condition, bonus } = items.outcomes;
    const { attack, str } = items.stats;
    const types = this.#tables.get("type")?.rows ?? [];
    const base = [0, ...types.map(({ stats }) => stats.attack ?? 0)];
    const special = this.elements.length - 1;
    for (let k = 0; k < items.length; k++) {
      this.elements[element[k]][secondElement[k]]++;
      this.prefixes[prefix[k]]++;
      this.types[type[k]]++;
      this.attributes[adjective[k]][abstract[k]]++;
      this.conditions[condition[k]]++;
      this.bonuses[bonus[k]]++;
      if (element[k] + prefix[k] + abstract[k] === 0 && condition[k] < 2) {
        this.changes[type[k]][Math.abs(attack[k] - base[type[k]])]++;
      }
      const many = element[k] === 0 ? 0 : element[k] === special ? 3 : secondElement[k] === 0 ? 1 : 2;
      this.joint[cellOf(many, prefix[k] > 0 ? 1 : 0, condition[k], bonus[k])]++;
      this.attacks.set(attack[k], (this.attacks.get(attack[k]) ?? 0) + 1);
      this.strengths.set(str[k], (this.strengths.get(str[k]) ?? 0) + 1);
    }
    this.weapons += items.length;
  }
}

/** A cell of {@link WeaponCounts.joint}. */
export function cellOf(elements: number, prefix: number, condition: number, bonus: number): number {
  return ((elements * 2 + prefix) * 3 + condition) * 6 + bonus;
}

const RUNGS = [3, 6, 7, 15, 69];

/** Every probability of the weapon's description at a power, with its counts, each given what it depends on. */
export function frequencies(counts: WeaponCounts, tables: WordTables, power: number): Map<string, Frequency> {
  const found = new Map<string, Frequency>();
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const roll = (name: string, least: number | ChanceSpec, yes: number, all: number) => {
    const p = chanceOf(least, power);
    found.set(name, { counts: [yes, all - yes], law: [p, 1 - p], wrong: wrongOf(p) });
  };
  const evenly = (name: string, table: string, seen: readonly number[]) => {
    const numbers = (tables.get(table)?.rows ?? []).flatMap(({ active }, i) => (active ? [i + 1] : []));
    const law = seen.map((_, number) => (numbers.includes(number) ? 1 / numbers.length : 0));
    found.set(name, { counts: seen, law, wrong: [] });
  };
  const { elements, prefixes, types, attributes, conditions, bonuses, changes, weapons } = counts;
  const byElement = elements.map(total);
  const special = byElement.length - 1;
  const random = byElement.map((count, number) => (number === 0 || number === special ? 0 : count));
  const alone = total(elements.map(([none]) => none)) - byElement[0] - byElement[special];
  roll("element", 95, weapons - byElement[0], weapons);
  roll("crippling", 99, byElement[special], weapons - byElement[0]);
  roll("second element", 98, total(random) - alone, total(random));
  evenly("element's word", "element", random);
  found.set("second element's word", pairs(elements, tables));
  roll("prefix", 75, weapons - prefixes[0], weapons);
  evenly("prefix's word", "prefix", prefixes.with(0, 0));
  evenly("type's word", "type", types);
  roll("doubled", 98, conditions[2], weapons);
  roll("up", UP, conditions[1], conditions[0] + conditions[1]);
  const open = weapons - attributes[0][0];
  const described = total(attributes.slice(1).map(total));
  roll("attribute", 65, open, weapons);
  roll("adjective", 60, described, open);
  evenly("adjective's word", "adjective", attributes.map(total).with(0, 0));
  evenly("abstract's word", "abstract", attributes[0].map((_, i) => total(attributes.map((row) => row[i]))).with(0, 0));
  roll("bonus", 90, weapons - bonuses[0], weapons);
  const law = RUNGS.map((values) => values / 100);
  const moved = (from: number, to: number) => law.map((p, i) => p + (i === to ? 0.01 : i === from ? -0.01 : 0));
  found.set("rung", {
    counts: bonuses.slice(1),
    law,
    wrong: [0, 1, 2, 3].flatMap((i) => [moved(i, i + 1), moved(i + 1, i)]),
  });
  found.set("change", changesOf(changes, tables));
  return found;
}

/** Laws that are wrong: by one value of the roll, and by one hundredth. */
function wrongOf(p: number): number[][] {
  const others = [p + 1 / 101, p - 1 / 101, p * 1.01, p * 0.99].filter((q) => q >= 0 && q <= 1 && q !== p);
  return others.map((q) => [q, 1 - q]);
}

/** Second elements: all ordered pairs of two active ones are equally likely. */
function pairs(elements: readonly (readonly number[])[], tables: WordTables): Frequency {
  const active = (tables.get("element")?.rows ?? []).map((row) => row.active);
  const isPair = (a: number, b: number) => a !== b && active[a - 1] === true && active[b - 1] === true;
  const cells = elements.flatMap((row, a) => row.slice(1).map((count, i) => ({ count, pair: isPair(a, i + 1) })));
  const possible = cells.filter(({ pair }) => pair).length;
  return {
    counts: cells.map(({ count }) => count),
    law: cells.map(({ pair }) => (pair ? 1 / possible : 0)),
    wrong: [],
  };
}

/** c is uniform on 0 … round(0.4 · attack), up to 0 where that is negative; types are equally likely. */
function changesOf(changes: readonly (readonly number[])[], tables: WordTables): Frequency {
  const rows = tables.get("type")?.rows ?? [];
  const actives = rows.filter(({ active }) => active).length;
  const law = changes.flatMap((counts, number) => {
    const row = rows[number - 1];
    const values = 1 + Math.round(Math.abs(row?.stats.attack ?? 0) * 0.4);
    return counts.map((_, c) => (row?.active && c < values ? 1 / values / actives : 0));
  });
  return { counts: changes.flat(), law, wrong: [] };
}

/** The law of {@link WeaponCounts.joint}: its four parts are independent of each other. */
export function jointLaw(power: number): number[] {
  const chance = (least: number | ChanceSpec) => chanceOf(least, power);
  const [some, crippling, second] = [chance(95), chance(99), chance(98)];
  const one = some * (1 - crippling);
  const elements = [1 - some, one * (1 - second), one * second, some * crippling];
  const [doubled, up, bonus] = [chance(98), chance(UP), chance(90)];
  const conditions = [(1 - doubled) * (1 - up), (1 - doubled) * up, doubled];
  const bonuses = [1 - bonus, ...RUNGS.map((values) => (bonus * values) / 100)];
  const law: number[] = [];
  for (const [e, p] of elements.entries()) {
    for (const [x, q] of [1 - chance(75), chance(75)].entries()) {
      for (const [c, r] of conditions.entries()) {
        for (const [b, s] of bonuses.entries()) law[cellOf(e, x, c, b)] = p * q * r * s;
      }
    }
  }
  return law;
}
