import type { RecipeSpec } from "../../index.js";
import type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  SlotSpec,
  SlotsStepSpec,
  WordTable,
  WordTables,
} from "../../recipes/index.js";
import { weightColumn } from "../../recipes/words.js";

interface ShownRecipe {
  readonly name: string;
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
}

export function recipeDocument({ spec, tables }: Omit<ShownRecipe, "name">): object {
  return { recipe: spec, tables: [...tables.values()].map(sizes) };
}

export function* describeRecipe({ name, spec, tables }: ShownRecipe): Generator<string, void> {
  const stats = spec.stats.map(({ name: stat, clamp }) => (clamp ? `${stat} (${clamp[0]} to ${clamp[1]})` : stat));
  yield `${name}: ${spec.steps.length} steps; strength is ${spec.strength}`;
  yield `stats: ${stats.join(", ")}`;
  const weight = weightColumn(spec);
  const isWeighted = [...tables.values()].some(({ rows }) => rows.some((row) => weight && weight in row.stats));
  if (isWeighted) yield `weights of words: ${weight}`;
  for (const step of spec.steps) {
    if (step.kind === "slots") yield* slotLines(step);
    else yield step.kind === "condition" ? conditionLine(step) : bonusLine(step);
  }
  yield "tables:";
  for (const table of tables.values()) yield `  ${tableLine(table)}`;
}

function* slotLines({ name, chance, text, slots }: SlotsStepSpec): Generator<string, void> {
  const parts = [...(chance ? [`if ${said(chance)}`] : []), ...(text ? [`"${text}"`] : [])];
  yield `${name}: ${[...parts, `${slots.length} ${slots.length === 1 ? "slot" : "slots"}`].join(", ")}`;
  for (const slot of slots) {
    yield `  ${slotLine(slot)}`;
    const { special } = slot;
    if (special) yield `    or ${special.word}: if another ${said(special.chance)}, strength ${special.strength}`;
  }
}

function slotLine({ slot, table, chance, strength, text, after, differentFrom, tiers }: SlotSpec): string {
  const parts = [
    chance ? `if ${said(chance)}` : "always",
    ...(after ? [`after ${after}`] : []),
    ...(differentFrom ? [`other than ${differentFrom}`] : []),
    ...(text ? [`"${text}"`] : []),
    ...(tiers ? [`by tier, ${tiers.map((swing) => `±${swing.variance} from ${swing.atLeast}`).join(", ")}`] : []),
    `strength ${strength}`,
  ];
  return `${slot}: a word of ${table}, ${parts.join(", ")}`;
}

function conditionLine({ name, stat, share, doubled, up }: ConditionStepSpec): string {
  const change = `rises by 0 to ${share} of itself if ${said(up)}, and falls by as much if not`;
  return `${name}: ${stat} is doubled if ${said(doubled)}; otherwise it ${change}`;
}

function bonusLine({ name, chance, sides, ladder }: BonusStepSpec): string {
  const rungs = ladder.map(({ atLeast = 1, text, add }) => {
    const added = Object.entries(add).map(([stat, value]) => `${stat} ${value < 0 ? value : `+${value}`}`);
    return `  from ${atLeast} of ${sides}: ${text} (${added.join(", ")})`;
  });
  return [`${name}: if ${said(chance)}`, ...rungs].join("\n");
}

/** The condition on the roll, and how many of the 101 possible rolls meet it at power 1. */
function said(chance: ChanceSpec): string {
  const least = "above" in chance ? Math.floor(chance.above) + 1 : Math.ceil(chance.atLeast);
  const roll = "above" in chance ? `> ${chance.above}` : `≥ ${chance.atLeast}`;
  return `roll ${roll} (${Math.max(0, 101 - Math.max(0, least))}/101)`;
}

function sizes({ name, rows }: WordTable): {
  readonly table: string;
  readonly words: number;
  readonly active: number;
  /** Number of active words for each tier. Absent if the table has no tiers. */
  readonly tiers?: Readonly<Record<string, number>>;
} {
  const active = rows.filter((row) => row.active);
  const tiers: Record<string, number> = {};
  for (const { tier } of active) tiers[tier] = (tiers[tier] ?? 0) + 1;
  const hasTiers = rows.some(({ tier }) => tier > 0);
  return { table: name, words: rows.length, active: active.length, ...(hasTiers ? { tiers } : {}) };
}

function tableLine(table: WordTable): string {
  const { table: name, words, active, tiers } = sizes(table);
  const counts = Object.entries(tiers ?? {}).map(([tier, count]) => `${tier}: ${count}`);
  return `${name}: ${words} words, ${active} active${counts.length > 0 ? `; by tier ${counts.join(", ")}` : ""}`;
}
