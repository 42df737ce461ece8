import { NEVER, TerrainCode } from "../kernel/layout.js";
import { compileWalk, inOrder } from "../walks/compile.js";
import { worldCosts } from "./costs.js";
import { curveTable, scaleTable, withSources } from "./fields.js";
import { reachOf } from "./finish.js";
import { finishStages } from "./stages.js";
import {
  type ChanceIds,
  type ConditionSpec,
  type FieldForm,
  type FieldSpec,
  NO_TERRAIN,
  type PlacementSpec,
  type StepData,
  type TerrainProgram,
  type TerrainRuleSpec,
  type TerrainStep,
  type WorldPlan,
  type WorldSpec,
} from "./types.js";

/** Caches the last plan of each spec, because a job opens the same world with three mills. */
const plans = new WeakMap<WorldSpec, WorldPlan>();

export function compileWorld(spec: WorldSpec, { name }: { readonly name: string }): WorldPlan {
  const known = plans.get(spec);
  if (known?.name === name) return known;
  const walk = compileWalk(spec.walk, { name });
  const terrain = compileTerrain(spec);
  const margin = reachOf(finishStages(spec));
  const plan = { name, spec, walk, ...terrain, margin, costs: worldCosts({ spec, walk, ...terrain, margin }) };
  plans.set(spec, plan);
  return plan;
}

export function compileTerrain(
  spec: Pick<WorldSpec, "fields" | "rules" | "terrains" | "placements">,
): Pick<WorldPlan, "program" | "fields" | "terrainLayers" | "limits" | "halo"> {
  const tables = new Map<string, Uint16Array>();
  const { fields: all, rules } = spec;
  const program = new ProgramCompiler(all, reachesOf({ fields: all, rules }), tables).compile(spec);
  const fields = spec.fields.map(({ name }, f) => {
    const alone = { fields: spec.fields, rules: [], own: [f] };
    const compiler = new ProgramCompiler(spec.fields, reachesOf(alone), tables);
    return { name, program: compiler.store(f), layers: layersOf(alone) };
  });
  const limits = spec.placements.map(({ name, where }) => {
    return where && compileLimit(all, where, { name, tables });
  });
  const reaches = [program, ...limits].flatMap((one) => (one === undefined ? [] : [...one.reaches.values()]));
  return { program, fields, terrainLayers: layersOf(spec), limits, halo: Math.max(0, ...reaches) };
}

/** Returns the program that gives the cells on which `where` does not hold the terrain NO_TERRAIN. */
function compileLimit(
  fields: readonly FieldSpec[],
  where: ConditionSpec,
  { name, tables }: { readonly name: string; readonly tables: Map<string, Uint16Array> },
) {
  const rule = { terrain: NO_TERRAIN, when: { kind: "not", of: where } } as const;
  const compiler = new ProgramCompiler(fields, reachesOf({ fields, rules: [rule] }), tables);
  return compiler.limit(rule, ["placements", name, "where"]);
}

interface Reads extends Pick<WorldSpec, "fields" | "rules"> {
  readonly placements?: readonly Pick<PlacementSpec, "where">[];
  /** Fields that are read besides those of the conditions. */
  readonly own?: readonly number[];
}

/** Returns the indices of the layers that the conditions refer to, directly or through fields, ascending. */
export function layersOf(reads: Reads): number[] {
  const read = [...leavesOf(reads), ...fieldsRead(reads)];
  return inOrder(read.flatMap((one) => ("layer" in one ? [one.layer] : [])));
}

/** Returns the fields that the conditions refer to, directly or through other fields. */
export function fieldsRead({ fields, own = [], ...reads }: Reads): FieldSpec[] {
  const direct = leavesOf(reads).flatMap((leaf) => (leaf.kind === "field" ? [leaf.field] : []));
  return Array.from(withSources(fields, [...own, ...direct]), (index) => fields[index]);
}

/** Returns the conditions that contain no other conditions, in reading order. */
function leavesOf({ rules, placements = [] }: Pick<Reads, "rules" | "placements">) {
  const conditions = [...rules.map(({ when }) => when), ...placements.map(({ where }) => where)];
  return conditions.flatMap((condition) => (condition === undefined ? [] : leavesIn(condition)));
}

function leavesIn(condition: ConditionSpec): Exclude<ConditionSpec, { readonly of: unknown }>[] {
  return "of" in condition ? [condition.of].flat().flatMap(leavesIn) : [condition];
}

function reachesOf(reads: Reads): Map<number, number> {
  const reaches = new Map<number, number>();
  const raise = (layer: number, distance: number) => reaches.set(layer, Math.max(reaches.get(layer) ?? 0, distance));
  for (const leaf of leavesOf(reads)) if (leaf.kind === "within") raise(leaf.layer, leaf.distance);
  for (const field of fieldsRead(reads)) if (field.kind === "distance") raise(field.layer, field.most);
  return reaches;
}

const MAX_VISITS = 2 ** 32 - 1;
/** The byte of a cell in the mask of a condition, if the condition holds for the cell. */
const HOLDS = 0xff;

class ProgramCompiler {
  readonly #steps: TerrainStep[] = [];
  /** The index of each row of counts, by kind of count and layer, or by field. */
  readonly #rows = new Map<string, number>();
  readonly #fields: readonly FieldSpec[];
  /** As {@link TerrainProgram.reaches}. The n-th layer here has the n-th array of distances in the kernel. */
  readonly #reaches: ReadonlyMap<number, number>;
  /** The tables of all programs of the world. Equal tables are one array, so the kernel gets them once. */
  readonly #tables: Map<string, Uint16Array>;
  #chances = 0;
  #height = 0;
  #depth = 0;

  constructor(fields: readonly FieldSpec[], reaches: ReadonlyMap<number, number>, tables: Map<string, Uint16Array>) {
    this.#fields = fields;
    this.#reaches = reaches;
    this.#tables = tables;
  }

  /** Returns the program that stores a field in place of the terrain. */
  store(field: number): TerrainProgram {
    this.#emit({ code: TerrainCode.STORE, least: this.#fieldRow(field) });
    return this.#program;
  }

  compile({ rules, terrains }: Pick<WorldSpec, "rules" | "terrains">): TerrainProgram {
    // a world without rules has terrain 0 everywhere
    if (rules.length === 0) this.#emit({ code: TerrainCode.FILL, value: 0 });
    for (const { terrain, when } of rules.toReversed()) {
      if (when === undefined) {
        this.#emit({ code: TerrainCode.FILL, value: terrain });
      } else {
        this.#rule({ terrain, when }, ["terrain", terrains[terrain].name]);
      }
    }
    return this.#program;
  }

  limit(rule: ConditionalRule, ids: ChanceIds): TerrainProgram {
    this.#rule(rule, ids);
    return this.#program;
  }

  /** A chance of the rule has the ids `ids` and its number. */
  #rule({ terrain, when }: ConditionalRule, ids: ChanceIds): void {
    this.#condition(when, ids);
    this.#pop({ code: TerrainCode.RULE, value: terrain });
  }

  get #program(): TerrainProgram {
    const counts = { depth: this.#depth, rows: this.#rows.size, chances: this.#chances };
    return { steps: this.#steps, ...counts, reaches: this.#reaches };
  }

  /** Emits steps that push the mask of a condition. */
  #condition(condition: ConditionSpec, ids: ChanceIds): void {
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
      case "field": {
        const { field, least, most } = condition;
        this.#push({
          code: TerrainCode.RANGE,
          slot: this.#fieldRow(field),
          least,
          span: Math.min(most, MAX_VISITS) - least,
        });
        break;
      }
      case "chance":
        this.#chance({ kind: "chance", ids: [...ids, condition.number], share: condition.chance });
        break;
      case "not":
        this.#condition(condition.of, ids);
        this.#emit({ code: TerrainCode.NOT });
        break;
      default:
        this.#join(condition.kind, condition.of, ids);
    }
  }

  /** Joins masks. An empty `all` always holds, and an empty `any` never holds. */
  #join(kind: "all" | "any", of: readonly ConditionSpec[], ids: ChanceIds): void {
    if (of.length === 0) this.#constant(kind === "all");
    for (const [i, one] of of.entries()) {
      this.#condition(one, ids);
      if (i > 0) this.#pop({ code: kind === "all" ? TerrainCode.AND : TerrainCode.OR });
    }
  }

  #within(layer: number, distance: number): void {
    this.#push({ code: TerrainCode.WITHIN, slot: this.#planeOf(layer), value: distance });
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
    else this.#push({ code: TerrainCode.RANGE, slot: this.#countsRow(load, layer), least, span: most - least });
  }

  #planeOf(layer: number): number {
    return [...this.#reaches.keys()].indexOf(layer);
  }

  /** Returns the row of a layer's counts, which it loads once. */
  #countsRow(load: TerrainCode, layer: number): number {
    return this.#row(`${load} ${layer}`, (slot) => this.#emit({ code: load, slot, layer }));
  }

  /** Returns the row of a field's values, which it computes once. */
  #fieldRow(field: number): number {
    return this.#row(`field ${field}`, (slot) => this.#field(this.#fields[field], slot));
  }

  #row(name: string, fill: (slot: number) => void): number {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const slot = this.#rows.size;
    this.#rows.set(name, slot);
    fill(slot);
    return slot;
  }

  /** Emits steps that write the values of a field to a row. */
  #field(field: FieldForm & { readonly name: string }, slot: number): void {
    switch (field.kind) {
      case "noise": {
        const { kind, name, scale, octaves } = field;
        this.#emit({ code: TerrainCode.NOISE, slot, data: { kind, name, scale, octaves } });
        break;
      }
      case "distance":
        this.#emit({ code: TerrainCode.DISTANCES, slot, value: this.#planeOf(field.layer) });
        this.#scale(slot, field.most);
        break;
      case "visits":
      case "firstVisit": {
        const load = field.kind === "visits" ? TerrainCode.LOAD_VISITS : TerrainCode.LOAD_FIRST_VISITS;
        this.#sum([{ row: this.#countsRow(load, field.layer), factor: 1 }], 0, slot);
        this.#scale(slot, field.most);
        break;
      }
      case "position":
      case "rows": {
        const from = field.kind === "rows" ? ([field.from, 0] as const) : field.from;
        const value = Number(field.kind === "rows");
        this.#emit({ code: TerrainCode.POSITION, slot, value, data: { kind: "position", from } });
        this.#scale(slot, field.most);
        break;
      }
      case "sum": {
        const terms = field.of.map(({ field: index, factor }) => ({ row: this.#fieldRow(index), factor }));
        this.#sum(terms, field.plus, slot);
        this.#emit({ code: TerrainCode.DIVIDE, slot, value: field.over });
        break;
      }
      case "least":
      case "most": {
        const code = field.kind === "least" ? TerrainCode.LEAST : TerrainCode.MOST;
        const [first, ...others] = field.of.map((index) => this.#fieldRow(index));
        this.#sum([{ row: first, factor: 1 }], 0, slot);
        for (const least of others) this.#emit({ code, slot, least });
        break;
      }
      case "curve":
        this.#sum([{ row: this.#fieldRow(field.of), factor: 1 }], 0, slot);
        this.#lookUp(slot, `curve ${field.name}`, () => curveTable(field.points));
    }
  }

  #sum(terms: readonly { readonly row: number; readonly factor: number }[], plus: number, slot: number): void {
    this.#emit({ code: TerrainCode.SET, slot, value: plus });
    for (const { row, factor } of terms) this.#emit({ code: TerrainCode.ADD, slot, least: row, value: factor });
  }

  #scale(slot: number, most: number): void {
    this.#lookUp(slot, `scale ${most}`, () => scaleTable(most));
  }

  #lookUp(slot: number, key: string, make: () => Uint16Array): void {
    const values = this.#tables.get(key) ?? make();
    this.#tables.set(key, values);
    this.#emit({ code: TerrainCode.LOOK_UP, slot, value: values.length - 1, data: { kind: "table", values } });
  }

  #chance(data: Extract<StepData, { readonly kind: "chance" }>): void {
    const { numerator, denominator } = data.share;
    if (numerator === 0n || numerator === denominator) this.#constant(numerator !== 0n);
    else this.#push({ code: TerrainCode.CHANCE, slot: this.#chances++, data });
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
    this.#steps.push({ slot: 0, layer: undefined, least: 0, span: 0, value: 0, data: undefined, ...step });
  }
}

type ConditionalRule = TerrainRuleSpec & { readonly when: ConditionSpec };
type StepFields = Pick<TerrainStep, "code"> & Partial<TerrainStep>;
