import { Field, type Fields, type SpecReader } from "../../spec/index.js";
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
} from "../types.js";
import { STRENGTH } from "../types.js";
import { unknownName } from "../unknownName.js";
import { MAX_TIER } from "./tables.js";

export interface SlotPlace {
  readonly step: number;
  readonly table: string;
  readonly tiers: boolean;
}

interface StepReading {
  readonly reader: SpecReader;
  readonly index: number;
  readonly places: Map<string, SlotPlace>;
  readonly readStepName: (at: Field) => string;
  readonly readTableName: (at: Field) => string;
  readonly readStat: (at: Field) => string;
}

const KEYS = {
  slots: ["kind", "name", "chance", "text", "slots"],
  condition: ["kind", "name", "stat", "share", "doubled", "up"],
  bonus: ["kind", "name", "chance", "sides", "ladder"],
};
const SLOT_KEYS = ["slot", "table", "chance", "strength", "text", "special", "after", "differentFrom", "tiers"];

const MAX_SIDES = 65_535;
/** For lists of slots and `tiers`. The exact limit on slots is checked later. */
const MANY = 101;

/** Returns undefined if the kind is unknown. */
export function readStep(at: Field, reading: StepReading): StepSpec | undefined {
  const { reader } = reading;
  const before = reader.errors;
  const kind = reader.choice(reader.record(at, "a step with a kind").get("kind"), ["slots", "condition", "bonus"]);
  if (reader.errors > before) return undefined;
  const fields = reader.fields(at, KEYS[kind]);
  const name = reading.readStepName(fields.get("name"));
  if (kind === "slots") return readSlots(name, fields, reading);
  return kind === "condition" ? readCondition(name, fields, reading) : readBonus(name, fields, reading);
}

function readCondition(name: string, fields: Fields, { reader, readStat }: StepReading): ConditionStepSpec {
  return {
    kind: "condition",
    name,
    stat: readStat(fields.get("stat")),
    share: reader.number(fields.get("share"), { least: 0 }),
    doubled: readChance(reader, fields.get("doubled")),
    up: readChance(reader, fields.get("up")),
  };
}

function readBonus(name: string, fields: Fields, reading: StepReading): BonusStepSpec {
  const { reader } = reading;
  const sides = reader.integer(fields.get("sides"), { least: 1, most: MAX_SIDES });
  const most = Number.isNaN(sides) ? MAX_SIDES : sides;
  const texts = new Set<string>();
  const rungs = reader.list(fields.get("ladder"), { least: 1, most });
  const ladder = rungs.map((entry) => readRung(entry, reading, { sides: most, texts }));
  rungs.forEach((entry, i) => {
    checkRung(reader, entry, ladder, i);
  });
  return { kind: "bonus", name, chance: readChance(reader, fields.get("chance")), sides, ladder };
}

function readRung(
  at: Field,
  { reader, readStat }: StepReading,
  { sides, texts }: { readonly sides: number; readonly texts: Set<string> },
): RungSpec {
  const fields = reader.fields(at, ["atLeast", "text", "add"]);
  const text = reader.text(fields.get("text"));
  if (texts.has(text)) {
    const expected = "a different text for each rung";
    reader.report(fields.get("text"), { problem: "two rungs have the same text", got: text, expected });
  }
  texts.add(text);
  // without a prototype: otherwise the name of an inherited property, such as "toString", would count as a stat
  const add: { [stat: string]: number } = Object.create(null);
  const amounts = reader.record(fields.get("add"), "an amount for each stat");
  for (const stat of amounts.keys) {
    const amount = amounts.get(stat);
    readStat(new Field(stat, fields.get("add"), stat));
    add[stat] = reader.number(amount);
  }
  if (!fields.has("atLeast")) return { text, add };
  return { atLeast: reader.integer(fields.get("atLeast"), { least: 2, most: sides }), text, add };
}

function checkRung(reader: SpecReader, entry: Field, ladder: readonly RungSpec[], i: number): void {
  const { atLeast } = ladder[i];
  const isLast = i === ladder.length - 1;
  const at = new Field(atLeast, entry, "atLeast");
  if (isLast !== (atLeast === undefined)) {
    const problem = isLast ? 'the last rung has "atLeast"' : 'a rung before the last has no "atLeast"';
    reader.report(at, { problem, expected: '"atLeast" on every rung except the last' });
  }
  checkDescending(reader, at, ladder[i - 1]?.atLeast);
}

function checkDescending(reader: SpecReader, at: Field, before: number | undefined): void {
  const { value } = at;
  // an invalid number was already reported: it is NaN here and passes the check
  if (typeof value !== "number" || before === undefined || !(value >= before)) return;
  const expected = `a number less than ${before}, the number of the previous entry`;
  reader.report(at, { problem: "the entries are not in descending order", got: value, expected });
}

function readChance(reader: SpecReader, at: Field): ChanceSpec {
  const before = reader.errors;
  const fields = reader.fields(at, ["atLeast", "above"]);
  if (fields.has("atLeast") === fields.has("above")) {
    const problem = fields.has("above")
      ? 'a chance has both "atLeast" and "above"'
      : 'a chance has neither "atLeast" nor "above"';
    if (reader.errors === before) reader.report(at, { problem, expected: "exactly one of the two" });
    return { atLeast: 0 };
  }
  if (fields.has("above")) return { above: reader.number(fields.get("above")) };
  return { atLeast: reader.number(fields.get("atLeast")) };
}

function readSlots(name: string, fields: Fields, reading: StepReading): SlotsStepSpec {
  const { reader } = reading;
  const entries = reader.list(fields.get("slots"), { least: 1, most: MANY });
  const slots = entries.map((entry) => readSlot(entry, reading));
  return { kind: "slots", name, slots, ...optionalParts(reader, fields) };
}

function optionalParts(reader: SpecReader, fields: Fields): { chance?: ChanceSpec; text?: string } {
  return {
    ...(fields.has("chance") ? { chance: readChance(reader, fields.get("chance")) } : {}),
    ...(fields.has("text") ? { text: reader.text(fields.get("text")) } : {}),
  };
}

function readSlot(at: Field, reading: StepReading): SlotSpec {
  const { reader, places } = reading;
  const fields = reader.fields(at, SLOT_KEYS);
  const slot = readSlotName(reading, fields.get("slot"));
  const table = reading.readTableName(fields.get("table"));
  const tiers = fields.has("tiers");
  const spec: SlotSpec = {
    slot,
    table,
    strength: reader.number(fields.get("strength")),
    ...optionalParts(reader, fields),
    ...(fields.has("special") ? { special: readSpecial(reader, fields.get("special")) } : {}),
    ...readLinks(fields, reading, { table, tiers }),
    ...(tiers ? { tiers: readSwings(reader, fields.get("tiers")) } : {}),
  };
  if (slot !== "") places.set(slot, { step: reading.index, table, tiers });
  return spec;
}

function readSlotName({ reader, places }: StepReading, at: Field): string {
  const slot = reader.text(at);
  if (slot.includes("=") || slot === STRENGTH) {
    const expected = `a name without "=", other than "${STRENGTH}"`;
    reader.report(at, { problem: "invalid slot name", got: slot, expected });
  }
  if (places.has(slot)) {
    const expected = "a name that no other slot of the recipe has";
    reader.report(at, { problem: "two slots have the same name", got: slot, expected });
  }
  return slot;
}

function readSpecial(reader: SpecReader, at: Field): SpecialSpec {
  const fields = reader.fields(at, ["word", "chance", "strength"]);
  return {
    word: reader.text(fields.get("word")),
    chance: readChance(reader, fields.get("chance")),
    strength: reader.number(fields.get("strength")),
  };
}

function readSwings(reader: SpecReader, at: Field): readonly SwingSpec[] {
  const entries = reader.list(at, { most: MANY });
  const swings = entries.map((entry) => {
    const fields = reader.fields(entry, ["atLeast", "variance"]);
    return {
      atLeast: reader.integer(fields.get("atLeast"), { least: 0, most: 100 }),
      variance: reader.integer(fields.get("variance"), { least: 0, most: MAX_TIER }),
    };
  });
  swings.forEach(({ atLeast }, i) => {
    checkDescending(reader, new Field(atLeast, entries[i], "atLeast"), swings[i - 1]?.atLeast);
  });
  return swings;
}

function readLinks(
  fields: Fields,
  { reader, index, places }: StepReading,
  { table, tiers }: { readonly table: string; readonly tiers: boolean },
): { after?: string; differentFrom?: string } {
  const links: { after?: string; differentFrom?: string } = {};
  for (const key of ["after", "differentFrom"] as const) {
    if (!fields.has(key)) continue;
    const at = fields.get(key);
    const name = at.value;
    const earlier = [...places].filter(([, { step }]) => step === index).map(([slot]) => slot);
    const place = typeof name === "string" && earlier.includes(name) ? places.get(name) : undefined;
    if (typeof name !== "string" || place === undefined) {
      reader.report(at, unknownName(`"${key}" must name an earlier slot of this step`, name, earlier));
      continue;
    }
    if (key === "differentFrom" && (place.table !== table || place.tiers || tiers)) {
      const expected = "two slots of the same table, both without tiers";
      reader.report(at, { problem: '"differentFrom" needs a slot that picks from the same rows', got: name, expected });
    }
    links[key] = name;
  }
  return links;
}
