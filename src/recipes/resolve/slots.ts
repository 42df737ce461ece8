import { error, type Issue } from "../../errors/index.js";
import { ROLL_SIDES } from "../../kernel/layout.js";
import type { Choice, ResolvedSlot, SlotSpec, SwingSpec, Variant, WordTable, WordTables } from "../types.js";
import { unknownName } from "../unknownName.js";
import { successesOf } from "./chance.js";
import type { Settings } from "./requests.js";
import { rowOf, tableOf, weightsOf } from "./rows.js";

export interface SlotReading extends Settings {
  readonly tables: WordTables;
  readonly weight: string | undefined;
  readonly choices: ReadonlyMap<string, Choice>;
  readonly issues: Issue[];
  readonly path: string;
}

/** Adds issues about the slot's words to `at.issues`. `first` is the first decision that the slot can take. */
export function resolveSlot(
  spec: SlotSpec,
  at: SlotReading & { readonly index: number; readonly names: readonly string[]; readonly first: number },
): ResolvedSlot {
  const table = tableOf(at.tables, spec);
  const path = `${at.path}.slots[${at.index}]`;
  let next = at.first;
  const swing = spec.tiers === undefined ? undefined : next++;
  const chance = spec.chance && { decision: next++, successes: successesOf(spec.chance, at.power) };
  const special = spec.special === undefined ? undefined : resolveSpecial(spec.special, table, next++, { ...at, path });
  const requested = at.choices.get(spec.slot);
  return {
    spec,
    index: at.index,
    table,
    weights: weightsOf(table, at.weight).weights,
    requested,
    swing,
    chance,
    special,
    pick: next,
    variants: requested === undefined ? variantsOf(spec, table, { ...at, path }) : [],
    after: spec.after === undefined ? undefined : at.names.indexOf(spec.after),
    differentFrom: spec.differentFrom === undefined ? undefined : at.names.indexOf(spec.differentFrom),
  };
}

function resolveSpecial(
  { word, chance, strength }: NonNullable<SlotSpec["special"]>,
  table: WordTable,
  decision: number,
  { issues, path, power }: SlotReading,
): NonNullable<ResolvedSlot["special"]> {
  const row = rowOf(table, word);
  if (row === undefined) {
    const problem = `the table ${JSON.stringify(table.name)} lacks the special word`;
    const finding = unknownName(
      problem,
      word,
      table.rows.map((known) => known.word),
    );
    issues.push(error("recipe.word", { ...finding, where: { path: `${path}.special.word` } }));
  }
  return { roll: { decision, successes: successesOf(chance, power) }, row: row ?? 0, strength };
}

function variantsOf(spec: SlotSpec, table: WordTable, reading: SlotReading): readonly Variant[] {
  const { issues, path, tier, varies } = reading;
  const { candidates: rows, issues: faults } = weightsOf(table, reading.weight);
  if (faults.length > 0) {
    if (!issues.includes(faults[0])) issues.push(...faults);
    return [];
  }
  const least = spec.differentFrom === undefined ? 1 : 2;
  if (rows.length < least) {
    const [tableName, slotName] = [JSON.stringify(table.name), JSON.stringify(spec.slot)];
    const problem = `the table ${tableName} has too few active rows for the slot ${slotName}`;
    const expected =
      least === 1
        ? "at least 1 row with a weight above 0"
        : `at least 2 rows with weights above 0, because its word must differ from the word of ${JSON.stringify(spec.differentFrom)}`;
    issues.push(error("recipe.candidates", { problem, got: rows.length, expected, where: { path } }));
    return [];
  }
  if (spec.tiers === undefined || tier === 0) {
    return [{ atLeast: 0, successes: ROLL_SIDES, variance: 0, candidates: rows }];
  }
  const variants = swingsOf(varies ? spec.tiers : []).map((swing): Variant => {
    const within = (row: number) => Math.abs(table.rows[row].tier - tier) <= swing.variance;
    return { ...swing, candidates: rows.filter(within) };
  });
  const empty = variants.find(({ candidates }) => candidates.length === 0);
  if (empty !== undefined) issues.push(emptyTier(table, reading, empty.variance));
  return variants;
}

/** Counts the values of the roll that select each variance. A roll below every `atLeast` selects variance 0. */
function swingsOf(swings: readonly SwingSpec[]): readonly Omit<Variant, "candidates">[] {
  let above = ROLL_SIDES;
  return [...swings, { atLeast: 0, variance: 0 }].flatMap(({ atLeast, variance }) => {
    const successes = above - atLeast;
    above = atLeast;
    return successes === 0 ? [] : [{ atLeast, successes, variance }];
  });
}

function emptyTier(table: WordTable, { tier, path, weight }: SlotReading, variance: number): Issue {
  const { candidates } = weightsOf(table, weight);
  const tiers = [...new Set(candidates.map((row) => table.rows[row].tier))].sort((a, b) => a - b);
  const range =
    variance === 0 ? `tier ${tier}` : `the tiers from ${Math.max(0, tier - variance)} to ${tier + variance}`;
  return error("recipe.candidates", {
    problem: `the table ${JSON.stringify(table.name)} has no active row in ${range}`,
    expected: `one of the tiers ${tiers.join(", ")}`,
    remedy: "Use another tier, or 0 for any tier",
    where: { path },
  });
}
