import {
  didYouMean,
  type Fields,
  listed,
  type Report,
  readArray,
  readFields,
  readMap,
  readNumber,
  readText,
  report,
} from "./report.js";
import type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  RungSpec,
  SlotSpec,
  SlotsStepSpec,
  SpecialSpec,
  StepSpec,
  SwingSpec,
} from "./types.js";

/** Where a slot that was read already stands, and what others may have to know of it. */
export interface SlotPlace {
  readonly step: number;
  readonly table: string;
  readonly tiers: boolean;
}

/** What a step is read with. */
export interface StepReading {
  readonly to: Report;
  /** The step's index in the recipe. */
  readonly index: number;
  readonly path: string;
  /** The slots read so far, by name. */
  readonly places: Map<string, SlotPlace>;
  readonly readStepName: (path: string, value: unknown) => string;
  readonly readStat: (path: string, value: unknown) => string;
}

const KEYS = {
  slots: ["kind", "name", "chance", "text", "slots"],
  condition: ["kind", "name", "stat", "share", "doubled", "up"],
  bonus: ["kind", "name", "chance", "sides", "ladder"],
};
const SLOT_KEYS = ["slot", "table", "chance", "strength", "text", "special", "after", "differentFrom", "tiers"];

/** The most sides of a bonus ladder's roll. */
const MAX_SIDES = 65_535;
/** The largest tier. */
const MAX_TIER = 255;
/** More slots or swings than this cannot be meant; their number proper is checked later. */
const MANY = 101;

/** Reads a step; undefined, and reported, where its kind is not known. */
export function readStep(value: unknown, reading: StepReading): StepSpec | undefined {
  const { to, path } = reading;
  const raw = readMap(to, path, value, "a step with a kind");
  if (raw === undefined) return undefined;
  const kind = raw.get("kind");
  if (kind !== "slots" && kind !== "condition" && kind !== "bonus") {
    const expected = '"slots", "condition" or "bonus"';
    report(to, `${path}.kind`, { problem: "a step needs a kind", got: kind, expected });
    return undefined;
  }
  const fields = readFields(to, path, Object.fromEntries(raw), KEYS[kind]);
  const name = reading.readStepName(`${path}.name`, fields.get("name"));
  if (kind === "slots") return readSlots(name, fields, reading);
  return kind === "condition" ? readCondition(name, fields, reading) : readBonus(name, fields, reading);
}

function readCondition(name: string, fields: Fields, { to, path, readStat }: StepReading): ConditionStepSpec {
  return {
    kind: "condition",
    name,
    stat: readStat(`${path}.stat`, fields.get("stat")),
    share: readNumber(to, `${path}.share`, fields.get("share"), { least: 0 }),
    doubled: readChance(to, `${path}.doubled`, fields.get("doubled")),
    up: readChance(to, `${path}.up`, fields.get("up")),
  };
}

function readBonus(name: string, fields: Fields, reading: StepReading): BonusStepSpec {
  const { to, path } = reading;
  const sides = readNumber(to, `${path}.sides`, fields.get("sides"), { least: 1, most: MAX_SIDES, integer: true });
  const most = Number.isNaN(sides) ? MAX_SIDES : sides;
  const rungs = readArray(to, `${path}.ladder`, fields.get("ladder"), { least: 1, most });
  const texts = new Set<string>();
  const ladder = rungs.map((entry, i) => {
    const rung = readRung(entry, { ...reading, path: `${path}.ladder[${i}]` }, most);
    if (texts.has(rung.text)) {
      const expected = "a text of its own";
      report(to, `${path}.ladder[${i}].text`, { problem: "a rung's text stands twice", got: rung.text, expected });
    }
    texts.add(rung.text);
    return rung;
  });
  checkLadder(to, `${path}.ladder`, ladder);
  return { kind: "bonus", name, chance: readChance(to, `${path}.chance`, fields.get("chance")), sides, ladder };
}

function readRung(value: unknown, { to, path, readStat }: StepReading, sides: number): RungSpec {
  const fields = readFields(to, path, value, ["atLeast", "text", "add"]);
  const text = readText(to, `${path}.text`, fields.get("text"));
  const add: { [stat: string]: number } = Object.create(null);
  for (const [stat, amount] of readMap(to, `${path}.add`, fields.get("add"), "an amount by stat") ?? []) {
    readStat(`${path}.add.${stat}`, stat);
    add[stat] = readNumber(to, `${path}.add.${stat}`, amount);
  }
  const atLeast = fields.get("atLeast");
  if (atLeast === undefined) return { text, add };
  return { atLeast: readNumber(to, `${path}.atLeast`, atLeast, { least: 2, most: sides, integer: true }), text, add };
}

function checkLadder(to: Report, path: string, ladder: readonly RungSpec[]): void {
  ladder.forEach(({ atLeast }, i) => {
    const last = i === ladder.length - 1;
    if (last !== (atLeast === undefined)) {
      const problem = last ? "the last rung has an atLeast" : "a rung before the last has no atLeast";
      report(to, `${path}[${i}].atLeast`, {
        problem,
        expected: "one on every rung but the last, which takes the rest",
      });
    }
    checkDescending(to, `${path}[${i}].atLeast`, atLeast, ladder[i - 1]?.atLeast);
  });
}

function checkDescending(to: Report, path: string, value: number | undefined, before: number | undefined): void {
  // (false for NaN, which is reported already)
  if (value === undefined || before === undefined || !(value >= before)) return;
  report(to, path, { problem: "the entries are not in descending order", got: value, expected: `less than ${before}` });
}

function readChance(to: Report, path: string, value: unknown): ChanceSpec {
  const fields = readFields(to, path, value, ["atLeast", "above"]);
  const atLeast = fields.get("atLeast");
  const above = fields.get("above");
  if ((atLeast === undefined) === (above === undefined)) {
    const problem = atLeast === undefined ? "a chance says nothing" : "a chance says two things";
    if (typeof value === "object") report(to, path, { problem, expected: "exactly one of atLeast and above" });
    return { atLeast: 0 };
  }
  if (atLeast === undefined) return { above: readNumber(to, `${path}.above`, above) };
  return { atLeast: readNumber(to, `${path}.atLeast`, atLeast) };
}

function readSlots(name: string, fields: Fields, reading: StepReading): SlotsStepSpec {
  const { to, path } = reading;
  const entries = readArray(to, `${path}.slots`, fields.get("slots"), { least: 1, most: MANY });
  const slots = entries.map((entry, i) => readSlot(entry, { ...reading, path: `${path}.slots[${i}]` }));
  const step: SlotsStepSpec = { kind: "slots", name, slots };
  return Object.assign(step, optionalParts(to, path, fields));
}

/** The parts that a step of slots and a slot both may have. */
function optionalParts(to: Report, path: string, fields: Fields): { chance?: ChanceSpec; text?: string } {
  const chance = fields.get("chance");
  const text = fields.get("text");
  return {
    ...(chance === undefined ? {} : { chance: readChance(to, `${path}.chance`, chance) }),
    ...(text === undefined ? {} : { text: readText(to, `${path}.text`, text) }),
  };
}

function readSlot(value: unknown, reading: StepReading): SlotSpec {
  const { to, path, places } = reading;
  const fields = readFields(to, path, value, SLOT_KEYS);
  const slot = readSlotName(reading, fields.get("slot"));
  const table = readText(to, `${path}.table`, fields.get("table"));
  const strength = readNumber(to, `${path}.strength`, fields.get("strength"));
  const special = fields.get("special");
  const tiers = fields.get("tiers");
  const links = readLinks(fields, reading, { table, tiers: tiers !== undefined });
  const spec: SlotSpec = {
    slot,
    table,
    strength,
    ...optionalParts(to, path, fields),
    ...(special === undefined ? {} : { special: readSpecial(to, `${path}.special`, special) }),
    ...links,
    ...(tiers === undefined ? {} : { tiers: readSwings(to, `${path}.tiers`, tiers) }),
  };
  if (slot !== "") places.set(slot, { step: reading.index, table, tiers: tiers !== undefined });
  return spec;
}

function readSlotName({ to, path, places }: StepReading, value: unknown): string {
  const slot = readText(to, `${path}.slot`, value);
  if (slot.includes("=")) {
    report(to, `${path}.slot`, { problem: "a name is not usable", got: slot, expected: 'a name without "="' });
  }
  if (places.has(slot)) {
    const expected = "a name of its own in the whole recipe";
    report(to, `${path}.slot`, { problem: "a slot's name stands twice", got: slot, expected });
  }
  return slot;
}

function readSpecial(to: Report, path: string, value: unknown): SpecialSpec {
  const fields = readFields(to, path, value, ["word", "chance", "strength"]);
  return {
    word: readText(to, `${path}.word`, fields.get("word")),
    chance: readChance(to, `${path}.chance`, fields.get("chance")),
    strength: readNumber(to, `${path}.strength`, fields.get("strength")),
  };
}

function readSwings(to: Report, path: string, value: unknown): readonly SwingSpec[] {
  const swings = readArray(to, path, value, { least: 0, most: MANY }).map((entry, i) => {
    const fields = readFields(to, `${path}[${i}]`, entry, ["atLeast", "variance"]);
    const atLeast = fields.get("atLeast");
    const variance = fields.get("variance");
    return {
      atLeast: readNumber(to, `${path}[${i}].atLeast`, atLeast, { least: 0, most: 100, integer: true }),
      variance: readNumber(to, `${path}[${i}].variance`, variance, { least: 0, most: MAX_TIER, integer: true }),
    };
  });
  swings.forEach(({ atLeast }, i) => {
    checkDescending(to, `${path}[${i}].atLeast`, atLeast, swings[i - 1]?.atLeast);
  });
  return swings;
}

/** `after` and `differentFrom`: both name an earlier slot of the same step. */
function readLinks(
  fields: Fields,
  { to, path, index, places }: StepReading,
  { table, tiers }: { readonly table: string; readonly tiers: boolean },
): { after?: string; differentFrom?: string } {
  const links: { after?: string; differentFrom?: string } = {};
  for (const key of ["after", "differentFrom"] as const) {
    const name = fields.get(key);
    if (name === undefined) continue;
    const earlier = [...places].filter(([, { step }]) => step === index).map(([slot]) => slot);
    const place = typeof name === "string" && earlier.includes(name) ? places.get(name) : undefined;
    if (typeof name !== "string" || place === undefined) {
      const expected = `an earlier slot of the same step (${listed(earlier)})`;
      const hint = typeof name === "string" ? didYouMean(name, earlier) : {};
      report(to, `${path}.${key}`, { problem: `${key} names no such slot`, got: name, expected, ...hint });
      continue;
    }
    if (key === "differentFrom" && (place.table !== table || place.tiers || tiers)) {
      const expected = "two slots of the same table, both without tiers";
      report(to, `${path}.${key}`, { problem: "the two slots cannot be compared", got: name, expected });
    }
    links[key] = name;
  }
  return links;
}
