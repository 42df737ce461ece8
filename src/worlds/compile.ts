import { NEVER, TerrainCode } from "../kernel/layout.js";
import { compileWalk, inOrder } from "../walks/compile.js";
import { worldCosts } from "./costs.js";
import type { ConditionSpec, TerrainProgram, TerrainRuleSpec, TerrainStep, WorldPlan, WorldSpec } from "./types.js";

/** Caches the last plan of each spec, because a job opens the same world with three mills. */
const plans = new WeakMap<WorldSpec, WorldPlan>();

export function compileWorld(spec: WorldSpec, { name }: { readonly name: string }): WorldPlan {
  const known = plans.get(spec);
  if (known?.name === name) return known;
  const walk = compileWalk(spec.walk, { name });
  const terrain = compileTerrain(spec);
  const plan = { name, spec, walk, ...terrain, costs: worldCosts(walk.layers, terrain) };
  plans.set(spec, plan);
  return plan;
}

export function compileTerrain(
  spec: Pick<WorldSpec, "rules" | "terrains" | "placements">,
): Pick<WorldPlan, "program" | "terrainLayers" | "halo"> {
  const program = new ProgramCompiler(spec.rules).compile(spec);
  const standing = spec.placements.filter(({ density }) => density.numerator > 0n);
  const halo = Math.max(0, ...program.reaches.values()) + Math.max(0, ...standing.map(({ distance }) => distance));
  return { program, terrainLayers: layersOfTerrain(spec), halo };
}

/** Returns the indices of the layers that the rules refer to, ascending. */
export function layersOfTerrain({ rules }: Pick<WorldSpec, "rules">): number[] {
  return inOrder(leavesOf(rules).flatMap((leaf) => ("layer" in leaf ? [leaf.layer] : [])));
}

/** Returns the conditions that contain no other conditions, in reading order. */
function leavesOf(rules: readonly TerrainRuleSpec[]) {
  return rules.flatMap(({ when }) => (when === undefined ? [] : leavesIn(when)));
}

function leavesIn(condition: ConditionSpec): Exclude<ConditionSpec, { readonly of: unknown }>[] {
  return "of" in condition ? [condition.of].flat().flatMap(leavesIn) : [condition];
}

function reachesOf(rules: readonly TerrainRuleSpec[]): Map<number, number> {
  const reaches = new Map<number, number>();
  for (const leaf of leavesOf(rules)) {
    if (leaf.kind !== "within") continue;
    reaches.set(leaf.layer, Math.max(reaches.get(leaf.layer) ?? 0, leaf.distance));
  }
  return reaches;
}

const MAX_VISITS = 2 ** 32 - 1;
/** The byte of a cell in the mask of a condition, if the condition holds for the cell. */
const HOLDS = 0xff;

class ProgramCompiler {
  readonly #steps: TerrainStep[] = [];
  /** The index of each row of counts, by kind of count and layer. */
  readonly #rows = new Map<string, number>();
  /** As {@link TerrainProgram.reaches}. The n-th layer here has the n-th array of distances in the kernel. */
  readonly #reaches: ReadonlyMap<number, number>;
  #chances = 0;
  #height = 0;
  #depth = 0;

  constructor(rules: readonly TerrainRuleSpec[]) {
    this.#reaches = reachesOf(rules);
  }

  compile({ rules, terrains }: Pick<WorldSpec, "rules" | "terrains">): TerrainProgram {
    // a world without rules has terrain 0 everywhere
    if (rules.length === 0) this.#emit({ code: TerrainCode.FILL, value: 0 });
    for (const { terrain, when } of rules.toReversed()) {
      if (when === undefined) {
        this.#emit({ code: TerrainCode.FILL, value: terrain });
      } else {
        this.#condition(when, terrains[terrain].name);
        this.#pop({ code: TerrainCode.RULE, value: terrain });
      }
    }
    const counts = { depth: this.#depth, rows: this.#rows.size, chances: this.#chances };
    return { steps: this.#steps, ...counts, reaches: this.#reaches };
  }

  /** Emits steps that push the mask of a condition. `terrain` is the name of the rule's terrain. */
  #condition(condition: ConditionSpec, terrain: string): void {
    switch (condition.kind) {
      case "visits":
        this.#range(condition, TerrainCode.LOAD_VISITS, MAX_VISITS);
        break;
      case "firstVisit":
        this.#range(condition, TerrainCode.LOAD_FIRST_VISITS, NEVER - 1);
        break;
      case "within":
        this.#within(condition.layer, condition.distance);
        break;
      case "chance":
        this.#chance({ terrain, number: condition.number, share: condition.chance });
        break;
      case "not":
        this.#condition(condition.of, terrain);
        this.#emit({ code: TerrainCode.NOT });
        break;
      default:
        this.#join(condition.kind, condition.of, terrain);
    }
  }

  /** Joins masks. An empty `all` always holds, and an empty `any` never holds. */
  #join(kind: "all" | "any", of: readonly ConditionSpec[], terrain: string): void {
    if (of.length === 0) this.#constant(kind === "all");
    for (const [i, one] of of.entries()) {
      this.#condition(one, terrain);
      if (i > 0) this.#pop({ code: kind === "all" ? TerrainCode.AND : TerrainCode.OR });
    }
  }

  #within(layer: number, distance: number): void {
    const slot = [...this.#reaches.keys()].indexOf(layer);
    this.#push({ code: TerrainCode.WITHIN, slot, value: distance });
  }

  #range(range: { layer: number; least: number; most: number }, load: TerrainCode, greatest: number): void {
    const { layer, least } = range;
    const most = Math.min(range.most, greatest);
    const isVisited = load === TerrainCode.LOAD_VISITS && least === 1 && most === greatest;
    if (least > most) this.#constant(false);
    else if (load === TerrainCode.LOAD_VISITS && least === 0 && most === greatest) this.#constant(true);
    // the distances to the layer's cells are computed anyway, and reading them is faster than reading the map again
    else if (isVisited && this.#reaches.has(layer)) this.#within(layer, 0);
    else if (isVisited) this.#push({ code: TerrainCode.VISITED, layer });
    else {
      const name = `${load} ${layer}`;
      const slot = this.#rows.get(name) ?? this.#rows.size;
      if (slot === this.#rows.size) this.#emit({ code: load, slot, layer });
      this.#rows.set(name, slot);
      this.#push({ code: TerrainCode.RANGE, slot, least, span: most - least });
    }
  }

  #chance(chance: NonNullable<TerrainStep["chance"]>): void {
    const { numerator, denominator } = chance.share;
    if (numerator === 0n || numerator === denominator) this.#constant(numerator !== 0n);
    else this.#push({ code: TerrainCode.CHANCE, slot: this.#chances++, chance });
  }

  #constant(holds: boolean): void {
    this.#push({ code: TerrainCode.CONSTANT, value: holds ? HOLDS : 0 });
  }

  #push(step: StepFields): void {
    this.#emit(step);
    this.#height++;
    this.#depth = Math.max(this.#depth, this.#height);
  }

  #pop(step: StepFields): void {
    this.#emit(step);
    this.#height--;
  }

  #emit(step: StepFields): void {
    this.#steps.push({ slot: 0, layer: undefined, least: 0, span: 0, value: 0, chance: undefined, ...step });
  }
}

type StepFields = Pick<TerrainStep, "code"> & Partial<TerrainStep>;
