/**
 * The weapon generator of "Requesting Attributes – Roguelike Design part 6" (noroguesallowed.com), its PHP statement by
 * statement, with what the project decided about it: a missing power is 1, a requested crippling has the strength that the
 * text means, and stats are exact decimals instead of floats.
 */

import { capitalised, scaled } from "./recipeTwin.js";

/** A row of one of its five tables. */
export interface PhpRow {
  readonly id: number;
  readonly word: string;
  readonly active: boolean;
  readonly tier: number;
  readonly [column: string]: unknown;
}

/** Tables by their names in the source without "weapon_", in the order of their ids. */
export type PhpTables = Readonly<Record<"element" | "prefix" | "type" | "adjective" | "abstract", readonly PhpRow[]>>;

export interface PhpArgs {
  readonly tier: number;
  readonly power: number;
  readonly "tier-variance"?: number;
  readonly attribute?: Readonly<Record<string, string>>;
}

/** Where its randomness comes from; `what` names the call, in the source's words. */
export interface PhpChance {
  /** rand(a, b): uniform from one to the other, both included, in either order. */
  rand(what: string, a: number, b: number): number;
  /** ORDER BY RAND() LIMIT 1. */
  choose(what: string, rows: readonly PhpRow[]): PhpRow;
}

/** A weapon; stats in parts of {@link UNIT}. */
export interface PhpWeapon {
  name: string;
  readonly stats: Map<string, bigint>;
}

const PLACES = 9;
/** What 1 is in a weapon's stats. */
export const UNIT = 10n ** BigInt(PLACES);

const STATS = [
  "hands",
  "multiplier",
  "attack",
  "defense",
  "magic",
  "flaming",
  "freezing",
  "shocking",
  "holy",
  "evil",
  "sneak",
  "crit",
  "str",
];

export function createWeapon(args: PhpArgs, tables: PhpTables, { rand, choose }: PhpChance): PhpWeapon {
  const weapon: PhpWeapon = { name: "", stats: new Map(STATS.map((stat) => [stat, 0n])) };
  const active = (table: readonly PhpRow[]) => table.filter((row) => row.active);
  const withWord = (table: readonly PhpRow[], word: string) => table.find((row) => row.word === word);
  // rand(0, 100) * $args['power'], in the unit of stats
  const roll = (what: string) => BigInt(rand(what, 0, 100)) * scaled(args.power, PLACES);
  const attribute = args.attribute ?? {};

  // Element
  let weaponElement: PhpRow | undefined;
  if ("element" in attribute) {
    weaponElement = withWord(tables.element, attribute.element);
    if (weaponElement !== undefined) {
      if (weaponElement.word === "crippling") sumWeaponAttributes(weapon, weaponElement, 12);
      else sumWeaponAttributes(weapon, weaponElement, 6);
    }
  }
  if (weaponElement === undefined && roll("element") >= 95n * UNIT) {
    if (roll("crippling") >= 99n * UNIT) {
      weaponElement = withWord(tables.element, "crippling");
      sumWeaponAttributes(weapon, weaponElement, 12);
    } else {
      const weaponElement1 = choose("element", active(tables.element));
      sumWeaponAttributes(weapon, weaponElement1, 6);
      if (roll("second element") >= 98n * UNIT) {
        weapon.name += "& ";
        const others = active(tables.element).filter((row) => row.id !== weaponElement1.id);
        const weaponElement2 = choose("second element", others);
        sumWeaponAttributes(weapon, weaponElement2, 11);
      }
    }
  }

  // prefix
  let weaponPrefix: PhpRow | undefined;
  if ("prefix" in attribute) weaponPrefix = withWord(tables.prefix, attribute.prefix);
  if (weaponPrefix === undefined && roll("prefix") >= 75n * UNIT) {
    weaponPrefix = choose("prefix", active(tables.prefix));
  }
  if (weaponPrefix !== undefined) sumWeaponAttributes(weapon, weaponPrefix, 3);

  // weapon
  let weaponType: PhpRow | undefined;
  if ("type" in attribute) weaponType = withWord(tables.type, attribute.type);
  if (weaponType === undefined) {
    if (args.tier === 0) {
      weaponType = choose("type", active(tables.type));
    } else if ((args["tier-variance"] ?? 0) > 0) {
      const swing = rand("swing", 0, 100);
      let variance: number;
      if (swing >= 80) variance = 2;
      else if (swing >= 50) variance = 1;
      else variance = 0;
      const minTier = args.tier - variance;
      const maxTier = args.tier + variance;
      weaponType = choose(
        "type",
        active(tables.type).filter(({ tier }) => tier >= minTier && tier <= maxTier),
      );
    } else {
      weaponType = choose(
        "type",
        active(tables.type).filter(({ tier }) => tier === args.tier),
      );
    }
  }
  sumWeaponAttributes(weapon, weaponType);

  // condition
  const attack = weapon.stats.get("attack") ?? 0n;
  const condition = BigInt(rand("condition", 0, phpRound(attack, 4n, 10n))) * UNIT;
  if (roll("doubled") >= 98n * UNIT) weapon.stats.set("attack", attack * 2n);
  else if (roll("up") > 38n * UNIT) weapon.stats.set("attack", attack + condition);
  else weapon.stats.set("attack", attack - condition);

  // attribute and possibly adjective
  let weaponAdjective: PhpRow | undefined;
  let weaponAbstract: PhpRow | undefined;
  if ("abstract" in attribute || "adjective" in attribute) {
    if ("adjective" in attribute) weaponAdjective = withWord(tables.adjective, attribute.adjective);
    if ("abstract" in attribute) weaponAbstract = withWord(tables.abstract, attribute.abstract);
  }
  if (roll("attribute") >= 65n * UNIT || weaponAdjective !== undefined || weaponAbstract !== undefined) {
    weapon.name += "of ";
    if (weaponAdjective === undefined && roll("adjective") >= 60n * UNIT) {
      weaponAdjective = choose("adjective", active(tables.adjective));
    }
    if (weaponAdjective !== undefined) sumWeaponAttributes(weapon, weaponAdjective, 4);
    if (weaponAbstract === undefined) weaponAbstract = choose("abstract", active(tables.abstract));
    sumWeaponAttributes(weapon, weaponAbstract, 2);
  }

  // power modifier
  if (roll("bonus") >= 90n * UNIT) {
    const modifier = rand("modifier", 1, 100);
    if (modifier >= 98) improve(weapon, "+5", 1, 10);
    else if (modifier >= 92) improve(weapon, "+4", 0.8, 9);
    else if (modifier >= 85) improve(weapon, "+3", 0.6, 8);
    else if (modifier >= 70) improve(weapon, "+2", 0.4, 7);
    else improve(weapon, "+1", 0.2, 5);
  }
  weapon.name = weapon.name.trim();
  const hands = weapon.stats.get("hands") ?? 0n;
  if (hands < UNIT) weapon.stats.set("hands", UNIT);
  if (hands > 2n * UNIT) weapon.stats.set("hands", 2n * UNIT);
  return weapon;
}

/** `$str` is 1 where it is not given. */
function sumWeaponAttributes(weapon: PhpWeapon, row: PhpRow | undefined, str = 1): void {
  if (row === undefined) throw new Error("there is no such row");
  for (const [key, value] of Object.entries(row)) {
    const sum = weapon.stats.get(key);
    if (sum !== undefined) weapon.stats.set(key, sum + scaled(Number(value), PLACES));
  }
  weapon.stats.set("str", (weapon.stats.get("str") ?? 0n) + BigInt(str) * UNIT);
  weapon.name += capitalised(`${row.word} `);
}

function improve(weapon: PhpWeapon, text: string, multiplier: number, str: number): void {
  weapon.name += text;
  weapon.stats.set("multiplier", (weapon.stats.get("multiplier") ?? 0n) + scaled(multiplier, PLACES));
  weapon.stats.set("str", (weapon.stats.get("str") ?? 0n) + BigInt(str) * UNIT);
}

/** PHP's round($value * numerator / denominator): half away from zero. */
function phpRound(value: bigint, numerator: bigint, denominator: bigint): number {
  const size = value < 0n ? -value : value;
  const whole = denominator * UNIT;
  const rounded = Number((2n * size * numerator + whole) / (2n * whole));
  return value < 0n ? -rounded : rounded;
}
