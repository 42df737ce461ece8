import { Field, fileNameKey, type SpecReader } from "../../spec/index.js";
import { unknownName } from "../unknownName.js";
import { type BonusStepSpec, type SlotSpec, STRENGTH, type StepSpec } from "./steps.js";

const MAX_SLOTS = 64;
/** Planes of random words for each step. Each decision of a step reads a separate plane. */
export const STEP_PLANES = 16;

interface SlotPlace {
  readonly step: number;
  readonly spec: SlotSpec;
}

interface Scope {
  readonly reader: SpecReader;
  readonly stats: readonly string[];
  /** The earlier slots, by name. */
  readonly places: Map<string, SlotPlace>;
  /** The names of tables, by `fileNameKey`. */
  readonly tables: Map<string, string>;
}

/** Checks what steps say of the stats and of each other. A name that was refused before is "", and a number is NaN. */
export function checkSteps(
  reader: SpecReader,
  at: Field,
  steps: readonly (StepSpec | undefined)[],
  stats: readonly string[],
): void {
  const scope: Scope = { reader, stats, places: new Map(), tables: new Map() };
  refuseTwice(reader, at, steps);
  for (const [i, step] of steps.entries()) {
    if (step?.kind === "condition") checkStat(reader, new Field(step.stat, at.part(i), "stat"), stats);
    if (step?.kind === "bonus") checkLadder(scope, at.part(i), step);
    if (step?.kind !== "slots") continue;
    for (const [s, slot] of step.slots.entries()) checkSlot(scope, at.part(i, "slots", s), slot, i);
  }
  const slots = steps.reduce((sum, step) => sum + (step?.kind === "slots" ? step.slots.length : 0), 0);
  if (slots > MAX_SLOTS) {
    reader.report(at, { problem: "the recipe has too many slots", got: slots, expected: `at most ${MAX_SLOTS} slots` });
  }
  for (const [i, step] of steps.entries()) if (step !== undefined) checkStep(scope, at.part(i), step);
}

/** Reports each entry that has the name of an earlier one. */
export function refuseTwice(
  reader: SpecReader,
  at: Field,
  entries: readonly ({ readonly name: string } | undefined)[],
): void {
  const taken = new Set<string>();
  for (const [i, { name } = { name: "" }] of entries.entries()) {
    const place = at.part(i, "name");
    if (taken.has(name)) {
      reader.report(place, { problem: "two entries have the same name", got: name, expected: "a different name" });
    }
    if (name !== "") taken.add(name);
  }
}

/** Without stats, every name would be unknown. */
export function checkStat(reader: SpecReader, at: Field, stats: readonly string[]): void {
  const { value } = at;
  if (value === "" || stats.length === 0 || stats.some((stat) => stat === value)) return;
  reader.report(at, unknownName("the recipe has no such stat", value, stats));
}

function checkSlot({ reader, places, tables }: Scope, at: Field, spec: SlotSpec, step: number): void {
  const { slot, table, tiers = [] } = spec;
  if (places.has(slot)) {
    const expected = "a name that no other slot of the recipe has";
    reader.report(at.part("slot"), { problem: "two slots have the same name", got: slot, expected });
  }
  const other = tables.get(fileNameKey(table)) ?? table;
  tables.set(fileNameKey(table), other);
  if (other !== table) {
    const problem = "the names of two tables lead to the same file on some systems";
    const expected = `${JSON.stringify(other)}, or a name that differs more from it`;
    reader.report(at.part("table"), { problem, got: table, expected });
  }
  checkLinks(reader, at, spec, new Map([...places].filter(([, place]) => place.step === step)));
  tiers.forEach(({ atLeast }, i) => {
    checkDescending(reader, new Field(atLeast, at.part("tiers", i), "atLeast"), tiers[i - 1]?.atLeast);
  });
  if (slot !== "") places.set(slot, { step, spec });
}

function checkLinks(reader: SpecReader, at: Field, spec: SlotSpec, earlier: ReadonlyMap<string, SlotPlace>): void {
  for (const key of ["after", "differentFrom"] as const) {
    const { [key]: name = "" } = spec;
    const other = earlier.get(name)?.spec;
    if (name === "") continue;
    if (other === undefined) {
      const finding = unknownName(`"${key}" must name an earlier slot of this step`, name, [...earlier.keys()]);
      reader.report(at.part(key), finding);
    } else if (key === "differentFrom" && (other.table !== spec.table || (other.tiers ?? spec.tiers) !== undefined)) {
      const problem = '"differentFrom" needs a slot that picks from the same rows';
      const expected = "two slots of the same table, both without tiers";
      reader.report(at.part(key), { problem, got: name, expected });
    }
  }
}

function checkLadder({ reader, stats }: Scope, at: Field, { sides, ladder }: BonusStepSpec): void {
  if (ladder.length > sides) {
    reader.list(new Field(ladder, at, "ladder"), { least: 1, most: sides });
    return;
  }
  const texts = new Set<string>();
  for (const [i, { atLeast, text, add }] of ladder.entries()) {
    const rung = at.part("ladder", i);
    if (texts.has(text)) {
      const expected = "a different text for each rung";
      reader.report(rung.part("text"), { problem: "two rungs have the same text", got: text, expected });
    }
    if (text !== "") texts.add(text);
    for (const stat of Object.keys(add)) checkStat(reader, new Field(stat, rung.part("add"), stat), stats);
    const place = new Field(atLeast, rung, "atLeast");
    if (atLeast !== undefined && atLeast > sides) reader.integer(place, { least: 2, most: sides });
    const isLast = i === ladder.length - 1;
    if (isLast !== (atLeast === undefined)) {
      const problem = isLast ? 'the last rung has "atLeast"' : 'a rung before the last has no "atLeast"';
      reader.report(place, { problem, expected: '"atLeast" on every rung except the last' });
    }
    checkDescending(reader, place, ladder[i - 1]?.atLeast);
  }
}

function checkDescending(reader: SpecReader, at: Field, before: number | undefined): void {
  const { value } = at;
  if (typeof value !== "number" || before === undefined || !(value >= before)) return;
  const expected = `a number less than ${before}, the number of the previous entry`;
  reader.report(at, { problem: "the entries are not in descending order", got: value, expected });
}

function checkStep({ reader, places }: Scope, at: Field, step: StepSpec): void {
  if (step.kind !== "slots" && (places.has(step.name) || step.name === STRENGTH)) {
    const problem = `the name of a ${step.kind} is ${step.name === STRENGTH ? "reserved" : "also the name of a slot"}`;
    const expected = `a name that no slot has, other than "${STRENGTH}"`;
    reader.report(at.part("name"), { problem, got: step.name, expected });
  }
  const got = decisionsOf(step);
  if (got <= STEP_PLANES) return;
  const finding = { expected: `at most ${STEP_PLANES} decisions`, remedy: "Split the step into two steps" };
  reader.report(at, { problem: "the step has too many random decisions", got, ...finding });
}

/** Section 5 of docs/determinism.md lists all random decisions, also those that only some items need. */
function decisionsOf(step: StepSpec): number {
  if (step.kind === "condition") return 3;
  if (step.kind === "bonus") return 2;
  const gate = step.chance === undefined ? 0 : 1;
  return step.slots.reduce((sum, { tiers, chance, special }) => {
    return sum + [tiers, chance, special].filter((part) => part !== undefined).length + 1;
  }, gate);
}
