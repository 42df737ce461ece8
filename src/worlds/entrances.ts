import { forkKey, type StreamKey } from "../address.js";
import { addressOfCell, type CreateState, innerScope, type Scope, type Setup, Words } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";
import { compileWorld } from "./compile.js";
import type { EntranceSpec, PlacementSpec, WorldPlan } from "./types.js";

/** Options of `world.enter`. */
export interface EnterOptions<Kind extends string = string> {
  /** The kind of the placement. Default: the first kind of the spec that stands on the cell and has `enters`. */
  readonly kind?: Kind | undefined;
  /** The level, from 1. Default 1. */
  readonly level?: number | undefined;
}

/** Where a child world was entered. */
export interface Entered {
  readonly row: number;
  readonly col: number;
  readonly kind: string;
  /** The level of this world, 1 … {@link levels}. */
  readonly level: number;
  /** The number of levels of the placement. */
  readonly levels: number;
}

type Door = PlacementSpec & { readonly enters: EntranceSpec };

function isDoor(kind: PlacementSpec): kind is Door {
  return kind.enters !== undefined;
}

/** Finds the kind through which to enter, among the names of the kinds that stand on a cell. */
export function doorOf(kinds: readonly PlacementSpec[], standing: readonly string[], kind: unknown): Door {
  const doors = kinds.filter(isDoor);
  const open = doors.filter(({ name }) => standing.includes(name) && (kind === undefined || name === kind));
  if (open.length > 0) return open[0];
  const known = doors.map(({ name }) => name);
  const expected =
    known.length === 0 ? 'a world in which a kind of placement has "enters"' : `a cell with one of ${known.join(", ")}`;
  const remedy = "Ask `world.placements` or `rollmill world window --placements` where they stand";
  const got = kind ?? (standing.join(", ") || "no placement");
  return fail(
    error("argument.range", { problem: "nothing on this cell leads to a child world", got, expected, remedy }),
  );
}

/** Returns the setup of a child world, and where it was entered. */
export function setupOf(
  { enters, name: kind }: Door,
  { row, col, level }: Pick<Entered, "row" | "col" | "level">,
  { kernel, plan, stream }: Setup<WorldPlan>,
): { readonly setup: Setup<WorldPlan>; readonly entered: Entered } {
  const doors = forkKey(forkKey(stream.key, "worlds"), kind);
  const levels = levelsOf(enters, new Words(kernel, doors, addressOfCell([row, col])));
  checkInteger("level", level, 1, levels);
  const { world: name } = enters;
  const spec = plan.spec.worlds.get(name);
  if (spec === undefined) throw new Error(`the world ${name} is missing`);
  const scope = millScope(forkKey(forkKey(doors, [row, col]), level), name, stream);
  const setup = { kernel, name, stream: scope, plan: compileWorld(spec, { name }) };
  return { setup, entered: { row, col, kind, level, levels } };
}

function levelsOf({ levels: [least, most] }: EntranceSpec, words: Words): number {
  return least === most ? least : least + words.below(most - least + 1);
}

/** Returns the scope of a name in a mill with another key. */
function millScope(key: StreamKey, name: string, { guard }: Scope): Scope {
  const create: CreateState<{ next: number }> = () => ({ next: 0 });
  return innerScope(key, guard, create).anew(name);
}
