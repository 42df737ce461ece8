import {
  type Field,
  fileNameFlaw,
  type InputOf,
  integer,
  isBlank,
  list,
  namedValues,
  number,
  oneKey,
  optional,
  record,
  type SpecReader,
  shape,
  TEXT,
  textFlaw,
  variants,
} from "../../spec/index.js";
import { MAX_TIER } from "./rows.js";

/** Names the strength stat in odds and counts. No slot, condition or bonus may have this name. */
export const STRENGTH = "strength";
const MAX_SIDES = 65_535;
/** Longest list of slots or of `tiers`. The exact limit on slots is checked later. */
const MANY = 101;

const NUMBER = number({});
/**
 * A name without "=", because the command line writes name=value. It has no white space at its ends, because the names
 * of stats are columns of CSV files, and the CSV reader trims column names.
 */
export const NAME = shape<string, string>(readName, {
  ...TEXT.json,
  pattern: "^(?!\\s)[^=\\u0000-\\u001f\\u007f-\\u009f]*[^=\\s\\u0000-\\u001f\\u007f-\\u009f]$",
});
const SLOT_NAME = shape<string, string>(readSlotName, {
  ...TEXT.json,
  pattern: "^[^=\\u0000-\\u001f\\u007f-\\u009f]+$",
  not: { const: STRENGTH },
});
/** The name of a table is also the name of its CSV file. A text that cannot be a file name is read as "". */
const TABLE_NAME = shape<string, string>(readTableName, TEXT);

const ROLLED = oneKey(
  {
    /** The roll succeeds if the roll times the power is at least this number. */
    atLeast: NUMBER,
    /** The roll succeeds if the roll times the power is above this number. */
    above: NUMBER,
  },
  'exactly one of "atLeast" and "above"',
);
/**
 * The condition under which a roll succeeds. A roll draws an integer 0 … 100, all equally likely, and multiplies it by
 * the power of the call. It succeeds if the product is at least `atLeast`, or greater than `above`. For example,
 * `atLeast: 95` at power 1 succeeds for the values 95 … 100, which are 6 of 101.
 */
export type ChanceSpec = InputOf<typeof ROLLED>;
export const CHANCE = shape<ChanceSpec, ChanceSpec>(readChance, ROLLED);

export const SPECIAL = record({
  /** The word, active or not. */
  word: TEXT,
  /** The chance that the slot gets this word. */
  chance: CHANCE,
  /** The number that the special adds to the strength stat. It replaces the `strength` of the slot. */
  strength: NUMBER,
});
/**
 * The special word of a slot. If a separate roll succeeds, this word fills the slot instead of a random word. It may be
 * the word of an inactive row.
 */
export interface SpecialSpec extends InputOf<typeof SPECIAL> {}

export const SWING = record({
  /** The smallest roll that selects the entry, 0 … 100. */
  atLeast: integer({ least: 0, most: 100 }),
  /** The largest allowed distance of a row's tier from the tier of the call, 0 … 255. */
  variance: integer({ least: 0, most: MAX_TIER }),
});
/** An entry of the `tiers` of a slot. Power does not scale the roll that selects an entry. */
export interface SwingSpec extends InputOf<typeof SWING> {}

export const SLOT = record({
  /** Name of the slot in requests, odds and columns. Unique in the recipe, without "=", and not `strength`. */
  slot: SLOT_NAME,
  /** The word table that fills the slot. An active row is picked with a chance in proportion to its weight. */
  table: TABLE_NAME,
  /** The number that a filled slot adds to the strength stat. */
  strength: NUMBER,
  /** The chance that the slot is filled. Default: it is filled whenever its step is open. */
  chance: optional(CHANCE),
  /** Text before the word in the item's name, such as "& ". */
  text: optional(TEXT),
  /**
   * `{"word", "chance", "strength"}`: after the slot's `chance` succeeded, a second chance decides whether the slot
   * gets this word instead, with this strength. The word need not be active.
   */
  special: optional(SPECIAL),
  /**
   * An earlier slot of the same step. This slot is filled only if the earlier slot has a random word. A call cannot
   * request a word for this slot.
   */
  after: optional(TEXT),
  /**
   * An earlier slot of the same step with the same table. This slot gets another word: the words are drawn without
   * replacement, so after a word of weight w a word of weight v has the chance v / (T − w), where T is the total
   * weight.
   */
  differentFrom: optional(TEXT),
  /**
   * A list `[{"atLeast", "variance"}]`, in descending order of `atLeast`. A slot with `tiers`, even an empty list,
   * depends on the caller's tier t: only rows of tier t are possible (all rows if t is 0). If the caller lets the tier
   * vary, a roll 0 … 100 (not multiplied by `power`) selects the first entry whose `atLeast` it reaches. Then rows of
   * the tiers t − `variance` to t + `variance` are possible. If the roll reaches no entry, the variance is 0.
   */
  tiers: optional(list(SWING, { most: MANY })),
});
/** A slot for one word of a table. */
export interface SlotSpec extends InputOf<typeof SLOT> {}

const STEP_NAME = {
  /** The name of the step, unique. A condition or a bonus cannot have the name of a slot, or the name `strength`. */
  name: NAME,
};
const SLOTS_STEP = record({
  ...STEP_NAME,
  /**
   * The chance that the step opens. If it does not open, none of its slots is filled. A request for a word of the step
   * also opens it, if the word exists. Default: the step is always open.
   */
  chance: optional(CHANCE),
  /** Text before the words of an open step in the item's name, such as "of ". */
  text: optional(TEXT),
  /** The slots of the step; all steps together have at most 64 slots. */
  slots: list(SLOT, { least: 1, most: MANY }),
});
/** A step with slots. */
export interface SlotsStepSpec extends InputOf<typeof SLOTS_STEP> {
  readonly kind: "slots";
}

const CONDITION_STEP = record({
  ...STEP_NAME,
  /** The stat that the condition changes. */
  stat: TEXT,
  /**
   * The largest change as a share of the stat's value so far, ≥ 0. The change c is uniform on 0 … round(value · share),
   * where halves are rounded away from zero.
   */
  share: number({ least: 0 }),
  /** The chance that the stat is doubled. If it is doubled, the change c of the field `share` is not used. */
  doubled: CHANCE,
  /** If the stat is not doubled: the chance that the change c of `share` is added. Otherwise c is subtracted. */
  up: CHANCE,
});
/** Changes the value that a stat has after all earlier steps. Of a negative stat, c is ≤ 0. */
export interface ConditionStepSpec extends InputOf<typeof CONDITION_STEP> {
  readonly kind: "condition";
}

const AMOUNTS = namedValues(NUMBER, { flaw: textFlaw, json: TEXT.json });
export const RUNG = record({
  /** Smallest bonus roll that selects the rung, 2 … `sides`. Missing in the last rung, which gets all lower rolls. */
  atLeast: optional(integer({ least: 2 })),
  /** Text at the end of the item's name, such as "+5". */
  text: TEXT,
  /** The amounts that the rung adds, by stat. */
  add: shape<{ readonly [stat: string]: number }, { readonly [stat: string]: number }>(readAmounts, AMOUNTS),
});
/** One possible result of a bonus. */
export interface RungSpec extends InputOf<typeof RUNG> {}

const BONUS_STEP = record({
  ...STEP_NAME,
  /** The chance of a bonus. */
  chance: CHANCE,
  /** 1 … 65535: the bonus roll is an integer 1 … sides, which is not multiplied by `power`. */
  sides: integer({ least: 1, most: MAX_SIDES }),
  /**
   * A list of rungs `{"atLeast", "text", "add"}`. The bonus roll selects the first rung whose `atLeast` it reaches.
   * `atLeast` descends, and the last rung has no `atLeast`. `text` is added to the end of the name, and `add` has
   * amounts that are added to stats. All texts are different.
   */
  ladder: list(RUNG, { least: 1, most: MAX_SIDES }),
});
/** A bonus that an item gets if the roll `chance` succeeds. */
export interface BonusStepSpec extends InputOf<typeof BONUS_STEP> {
  readonly kind: "bonus";
}

export const STEP = variants("a step", "kind", { slots: SLOTS_STEP, condition: CONDITION_STEP, bonus: BONUS_STEP });
/** A step of a recipe. Section 5 of docs/determinism.md lists the random decisions of each kind. */
export type StepSpec = SlotsStepSpec | ConditionStepSpec | BonusStepSpec;

function readName(reader: SpecReader, at: Field): string {
  const name = TEXT.read(reader, at);
  if (name === "") return name;
  if (isBlank(name) || name.trim() !== name) {
    const expected = "a name with a visible character, without white space at its ends";
    reader.report(at, { problem: "invalid name", got: name, expected });
  }
  if (name.includes("=")) {
    const flawAt = name.indexOf("=");
    reader.report(at, { problem: "invalid name", got: name, flawAt, expected: 'a name without "="' });
  }
  return name;
}

function readSlotName(reader: SpecReader, at: Field): string {
  const slot = TEXT.read(reader, at);
  if (slot.includes("=") || slot === STRENGTH) {
    const expected = `a name without "=", other than "${STRENGTH}"`;
    reader.report(at, { problem: "invalid slot name", got: slot, expected });
  }
  return slot;
}

function readTableName(reader: SpecReader, at: Field): string {
  const name = TEXT.read(reader, at);
  const expected = name === "" ? undefined : fileNameFlaw(name, ".csv");
  if (expected === undefined) return name;
  reader.report(at, { problem: "the name of a table cannot be a file name", got: name, expected });
  return "";
}

function readChance(reader: SpecReader, at: Field): ChanceSpec {
  const { kind, value } = ROLLED.read(reader, at) ?? { kind: "atLeast", value: 0 };
  return kind === "above" ? { above: value } : { atLeast: value };
}

/** Returns an object without a prototype, so that an inherited name such as "toString" does not count as a stat. */
function readAmounts(reader: SpecReader, at: Field): { readonly [stat: string]: number } {
  return Object.assign(Object.create(null), Object.fromEntries(AMOUNTS.read(reader, at)));
}
