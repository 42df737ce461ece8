import { didYouMean } from "../../errors/index.js";
import type { Field, Fields, SpecReader } from "../../spec/index.js";
import type { LayerSpec } from "../../walks/index.js";
import {
  type ConditionSpec,
  MAX_CONDITION_DEPTH,
  MAX_CONDITIONS,
  MAX_DISTANCE,
  MAX_RULES,
  MAX_TERRAINS,
  type TerrainRuleSpec,
  type TerrainSpec,
} from "../types.js";
import { readColor } from "./colors.js";
import { readShare } from "./shares.js";

/** The keys of a condition that are not names of layers. */
export const CONDITION_KEYS = ["chance", "all", "any", "not"] as const;

const MAX_TAGS = 64;
const MAX_COUNT = 2 ** 32 - 1;
const ALWAYS: ConditionSpec = { kind: "all", of: [] };

interface Terrain {
  readonly terrains: readonly TerrainSpec[];
  readonly rules: readonly TerrainRuleSpec[];
}

export function readTerrain(reader: SpecReader, at: Field, layers: readonly LayerSpec[]): Terrain {
  const entries = reader.list(at, { least: 1, most: MAX_RULES, optional: true, of: "rules" });
  const terrains = new Map<string, TerrainSpec>();
  const conditions = new ConditionReader(reader, layers);
  const rules = entries.map((entry, i): TerrainRuleSpec => {
    const fields = reader.fields(entry, ["terrain", "when", "color", "tags"]);
    const name = reader.text(fields.get("terrain"));
    const isNew = !terrains.has(name);
    if (isNew) terrains.set(name, readNew(reader, fields, { name, number: terrains.size }));
    else refuseAgain(reader, fields, name);
    checkPlace(reader, entry, { has: fields.has("when"), isLast: i === entries.length - 1 });
    const when = fields.has("when") ? conditions.read(fields.get("when"), name) : undefined;
    return { terrain: [...terrains.keys()].indexOf(name), when };
  });
  if (terrains.size > MAX_TERRAINS) {
    reader.report(at, { problem: "too many terrains", got: terrains.size, expected: `at most ${MAX_TERRAINS}` });
  }
  refuseTagNames(reader, at, [...terrains.values()]);
  return { terrains: [...terrains.values()], rules };
}

function readNew(
  reader: SpecReader,
  fields: Fields,
  { name, number }: { readonly name: string; readonly number: number },
): TerrainSpec {
  const tags = reader.list(fields.get("tags"), { most: MAX_TAGS, optional: true, of: "tags" });
  const color = readColor(reader, fields.get("color"), "terrain", number);
  return { name, color, tags: [...new Set(tags.map((tag) => reader.text(tag)))] };
}

function refuseAgain(reader: SpecReader, fields: Fields, name: string): void {
  for (const key of ["color", "tags"].filter((one) => fields.has(one))) {
    const problem = `an earlier rule already gives the terrain ${JSON.stringify(name)}`;
    reader.report(fields.get(key), { problem, expected: `"${key}" in the first rule of a terrain only` });
  }
}

function checkPlace(
  reader: SpecReader,
  rule: Field,
  { has, isLast }: { readonly has: boolean; readonly isLast: boolean },
): void {
  if (has !== isLast) return;
  const expected = 'a "when" in every rule but the last one';
  if (isLast) {
    const remedy = 'Remove "when", or add a last rule without it for all other cells';
    reader.report(rule, { problem: 'the last rule has a "when"', expected, remedy });
  } else {
    const remedy = 'Add a "when", or move the rule to the end: rules after it never apply';
    reader.report(rule, { problem: 'a rule before the last one has no "when"', expected, remedy });
  }
}

function refuseTagNames(reader: SpecReader, at: Field, terrains: readonly TerrainSpec[]): void {
  const tag = terrains.flatMap(({ tags }) => tags).find((one) => terrains.some(({ name }) => name === one));
  if (tag === undefined) return;
  reader.report(at, { problem: "a tag has the name of a terrain", got: tag, expected: "different names" });
}

/** Numbers the chances from 0, separately for each terrain. */
class ConditionReader {
  readonly #reader: SpecReader;
  readonly #layers: readonly LayerSpec[];
  readonly #chances = new Map<string, number>();
  #count = 0;

  constructor(reader: SpecReader, layers: readonly LayerSpec[]) {
    this.#reader = reader;
    this.#layers = layers;
  }

  /** `terrain` is the name of the terrain that the condition's rule gives. */
  read(at: Field, terrain: string, depth = 1): ConditionSpec {
    this.#count++;
    if (this.#count > MAX_CONDITIONS || depth > MAX_CONDITION_DEPTH) return this.#refuseSize(at, depth);
    const fields = this.#reader.record(at, "an object with conditions");
    if (fields.keys.length === 0) {
      this.#reader.report(at, {
        problem: "the condition is empty",
        expected: `a layer, or ${CONDITION_KEYS.join(", ")}`,
      });
    }
    const parts = fields.keys.map((key) => this.#part(fields.get(key), { key, terrain, depth }));
    return parts.length === 1 ? parts[0] : { kind: "all", of: parts };
  }

  #part(
    at: Field,
    { key, terrain, depth }: { readonly key: string; readonly terrain: string; readonly depth: number },
  ): ConditionSpec {
    switch (key) {
      case "chance": {
        const number = this.#chances.get(terrain) ?? 0;
        this.#chances.set(terrain, number + 1);
        return { kind: "chance", chance: readShare(this.#reader, at), number };
      }
      case "all":
      case "any": {
        const entries = this.#reader.list(at, { least: 1, most: MAX_CONDITIONS, of: "conditions" });
        return { kind: key, of: entries.map((entry) => this.read(entry, terrain, depth + 1)) };
      }
      case "not":
        return { kind: "not", of: this.read(at, terrain, depth + 1) };
      default:
        return this.#layer(at, key);
    }
  }

  #layer(at: Field, name: string): ConditionSpec {
    const layer = this.#layers.findIndex((one) => one.name === name);
    if (layer < 0) {
      const known = [...this.#layers.map((one) => one.name), ...CONDITION_KEYS];
      const expected = `one of ${known.join(", ")}`;
      const problem = "no condition has this name";
      this.#reader.report(at, { problem, got: name, expected, ...didYouMean(name, known) });
      return ALWAYS;
    }
    const fields = this.#reader.fields(at, ["visits", "firstVisit", "within"]);
    const of = fields.keys.map((key): ConditionSpec => {
      const field = fields.get(key);
      if (key === "within") {
        const distance = this.#reader.integer(field, { least: 0, most: MAX_DISTANCE });
        return { kind: "within", layer, distance };
      }
      if (key === "firstVisit" && !this.#layers[layer].firstVisit) {
        const remedy = 'Set "firstVisit": true in the layer';
        this.#reader.report(field, { problem: `the layer ${JSON.stringify(name)} keeps no first visits`, remedy });
      }
      return { kind: key === "visits" ? "visits" : "firstVisit", layer, ...this.#range(field) };
    });
    if (of.length === 0) {
      this.#reader.report(at, { problem: "the condition is empty", expected: "visits, firstVisit or within" });
    }
    return of.length === 1 ? of[0] : { kind: "all", of };
  }

  #range(at: Field): { readonly least: number; readonly most: number } {
    const [least, most] = this.#reader.list(at, { least: 2, most: 2, of: "bounds" });
    if (least === undefined || most === undefined) return { least: 0, most: Number.POSITIVE_INFINITY };
    const from = this.#reader.integer(least, { least: 0, most: MAX_COUNT });
    const to =
      most.value === null
        ? Number.POSITIVE_INFINITY
        : this.#reader.integer(most, { least: Number.isNaN(from) ? 0 : from, most: MAX_COUNT });
    return { least: from, most: to };
  }

  #refuseSize(at: Field, depth: number): ConditionSpec {
    const isDeep = depth > MAX_CONDITION_DEPTH;
    const problem = isDeep ? "the conditions are nested too deeply" : "the rules have too many conditions";
    const expected = isDeep ? `at most ${MAX_CONDITION_DEPTH} levels` : `at most ${MAX_CONDITIONS} conditions`;
    this.#reader.report(at, { problem, expected });
    return ALWAYS;
  }
}
