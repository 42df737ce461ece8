import { sourceAt } from "../../walks/compile.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { isOrdered } from "../../worlds/contents.js";
import { withReferences } from "../../worlds/fields.js";
import type {
  ConditionSpec,
  ContentSpec,
  PlacementSpec,
  StampsOfKind,
  WorldPlan,
  WorldSpec,
} from "../../worlds/types.js";
import { hashOf } from "../folder/store.js";
import type { BulkSpec } from "../types.js";
import { BULK_BATCH, countInBatch, folderNameOf } from "./parse.js";
import { cellsOfSector, sectorNamed } from "./sectors.js";

/*
 * The key of something that a job makes is the SHA-256 of all that decides its content: the code, the seed, the name
 * and the grid of the world, the fields of the spec that it reads, and the keys of what it is made from. So equal keys
 * mean equal content, in any folder. Layers, fields, terrains, kinds and contents have keys, and each part has a key.
 *
 * Keys come from the parsed spec. They leave out what only people and pictures read: colours, tags, icons, names of
 * sizes. A field of the spec that nobody left out on purpose is in a key, because the slices use `...rest`.
 */

/** What keys read of the manifest of a job. */
interface KeyedManifest extends Readonly<Record<"code" | "seed" | "world" | "now", string>> {
  readonly extent: "reached" | CellRectangle;
  readonly visits: readonly string[];
  readonly bulk: readonly BulkSpec[];
  readonly shards: Readonly<Record<string, number>>;
}

/** The keys of a kind of placement. */
interface KindKeys {
  /** The cells on which it stands, before paths and stamps. */
  readonly standing: string;
  /** Its placements, with sizes and facings. */
  readonly placed: string;
  /** Its contents without those from stocks of the whole world. The same as `placed` if it has none. */
  readonly content: string;
}

/** The keys of a job. A key is computed when somebody asks for it. */
export class JobKeys {
  readonly #manifest: KeyedManifest;
  readonly #plan: WorldPlan;
  readonly #spec: WorldSpec;
  readonly #base: object;
  readonly #layers: string[] = [];
  readonly #fields: string[] = [];
  readonly #sources = new Map<string, string>();
  #ground: string | undefined;
  #stages: string | undefined;
  #kinds: readonly KindKeys[] | undefined;
  #cells: string | undefined;

  constructor(manifest: KeyedManifest, plan: WorldPlan) {
    this.#manifest = manifest;
    this.#plan = plan;
    this.#spec = plan.spec;
    const { code, seed, world } = manifest;
    this.#base = { code, seed, world, grid: plan.spec.grid };
  }

  /** The key of a layer's visits and first visits. */
  layer(l: number): string {
    this.#layers[l] ??= this.#key("layer", this.#layerSlice(l));
    return this.#layers[l];
  }

  /** Returns the index of the layer with a key, or -1 if no layer has it. */
  layerWith(key: string): number {
    return this.#plan.walk.layers.findIndex((_, l) => this.layer(l) === key);
  }

  /** The key of the terrain before paths and stamps. */
  get ground(): string {
    const { rules, terrains } = this.#spec;
    this.#ground ??= this.#key(
      "ground",
      rules.map(({ terrain, when }) => [terrain, when && this.#condition(when, ["terrain", terrains[terrain].name])]),
    );
    return this.#ground;
  }

  /** Whether paths or stamps change the terrain. */
  get hasStages(): boolean {
    const { paths, placements } = this.#spec;
    return paths.length > 0 || placements.some(({ stamps }) => stamps !== undefined);
  }

  /** The key of the terrain. */
  get terrain(): string {
    return this.hasStages ? this.#key("terrain", [this.ground, this.stages]) : this.ground;
  }

  /** The key of what paths and stamps do. */
  get stages(): string {
    this.#stages ??= this.#key("stages", this.#stagesSlice());
    return this.#stages;
  }

  /** The keys of the kinds of placements, in the order of the spec. */
  get kinds(): readonly KindKeys[] {
    this.#kinds ??= this.#standing().map((standing, k) => this.#kindKeys(k, standing));
    return this.#kinds;
  }

  /** The key of the contents from stocks of the whole world. */
  get ordered(): string {
    const kinds = this.#spec.placements.flatMap((kind, k) =>
      isOrdered(kind) ? [[this.kinds[k].placed, this.#contents(kind, true)]] : [],
    );
    return this.#key("ordered", [this.#extent, kinds]);
  }

  /** The key of some results of a bulk part. */
  bulk(spec: BulkSpec, batch: number): string {
    const { name, kind, source, options } = spec;
    const range = { from: batch * BULK_BATCH[kind], count: countInBatch(spec, batch) };
    const { code, seed } = this.#manifest;
    return this.#key("bulk", { name, kind, ...this.#source(kind, source), options, ...range }, { code, seed });
  }

  /** The key of a part of the job, by its name. */
  part(name: string): string {
    const [, kind, of = "", last = ""] = name.replace(/\.part$/, "").split("/");
    switch (kind) {
      case "walk": {
        const shards = this.#manifest.shards[this.#plan.walk.layers[Number(of)].name];
        return this.#key("walk", [this.layer(Number(of)), shards, last]);
      }
      case "layer":
        return this.#key("merge", [this.layer(Number(of)), last]);
      case "cells":
        return this.#sector(of);
      case "ordered":
        return this.ordered;
      default: {
        const spec = this.#manifest.bulk.find((one) => folderNameOf(one.name) === of);
        return spec === undefined ? "" : this.bulk(spec, Number(last));
      }
    }
  }

  #key(what: string, slice: unknown, base = this.#base): string {
    return hashOf(JSON.stringify([what, plain([base, slice])]));
  }

  /** The extent of the job: all cells that the walkers reach depend on all finite layers. */
  get #extent(): unknown {
    const { extent } = this.#manifest;
    if (extent !== "reached") return extent;
    const { layers } = this.#plan.walk;
    return layers.flatMap(({ scatter }, l) => (scatter === undefined ? [this.layer(l)] : []));
  }

  #sector(name: string): string {
    const { extent, visits } = this.#manifest;
    const { layers } = this.#plan.walk;
    const kept = layers.flatMap((layer, l) => (visits.includes(layer.name) ? [[layer.name, this.layer(l)]] : []));
    // the head of the part counts the cells of each terrain
    const terrains = this.#spec.terrains.length;
    this.#cells ??= this.#key("cells", [kept, this.terrain, terrains, this.kinds]);
    const cells = extent === "reached" ? this.#extent : cellsOfSector(sectorNamed(name), extent);
    return this.#key("sector", [this.#cells, name, cells]);
  }

  #layerSlice(l: number): unknown {
    const { name, tensor, closedLayers, openLayers, until, start, slope, stuckOf, ...own } = this.#plan.walk.layers[l];
    const cells = (source: number) => {
      const { layer, field, range } = sourceAt(this.#plan.walk, source);
      return layer === undefined ? [this.#field(field), range?.least, range?.most] : [this.layer(layer)];
    };
    return {
      ...own,
      tensor: tensor.combined,
      closed: closedLayers.map(cells),
      open: openLayers.map(cells),
      until: until && [until.kind, cells(until.layer)],
      start: start.kind === "layer" ? cells(start.layer) : start,
      slope: slope && { ...slope, source: cells(slope.source) },
      stuckOf: stuckOf === undefined ? undefined : this.layer(stuckOf),
    };
  }

  #field(f: number): string {
    const { name, ...form } = this.#spec.fields[f];
    // the name selects the random words of noise
    const own = form.kind === "noise" ? { name, ...form } : form;
    const keyOf = (other: number) => this.#field(other);
    this.#fields[f] ??= this.#key(
      "field",
      withReferences(own, (l) => this.layer(l), keyOf),
    );
    return this.#fields[f];
  }

  /** `ids` select the random words of the chances in the condition. */
  #condition(condition: ConditionSpec, ids: readonly string[]): unknown {
    switch (condition.kind) {
      case "visits":
      case "firstVisit":
      case "within":
        return { ...condition, layer: this.layer(condition.layer) };
      case "field":
        return { ...condition, field: this.#field(condition.field) };
      case "chance":
        return { ...condition, ids };
      case "not":
        return { kind: "not", of: this.#condition(condition.of, ids) };
      default:
        return { kind: condition.kind, of: condition.of.map((one) => this.#condition(one, ids)) };
    }
  }

  /** The keys of the cells of each kind before paths and stamps. A kind can depend on earlier kinds. */
  #standing(): string[] {
    const keys: string[] = [];
    for (const kind of this.#spec.placements) {
      const { sizes, facing, contents, color, icon, enters, stamps, ...own } = kind;
      const { near, apart, alone, where } = own;
      const earlier = (related: typeof near | typeof apart) => related && { ...related, kind: keys[related.kind] };
      keys.push(
        this.#key("standing", {
          ...own,
          ground: this.ground,
          near: earlier(near),
          apart: earlier(apart),
          alone: alone && [...keys],
          where: where && this.#condition(where, ["placements", kind.name, "where"]),
        }),
      );
    }
    return keys;
  }

  #kindKeys(k: number, standing: string): KindKeys {
    const kind = this.#spec.placements[k];
    const stages = this.hasStages ? this.stages : undefined;
    const weights = kind.sizes?.map(({ weight }) => weight);
    const placed = this.#key("placed", { standing, weights, facing: kind.facing, stages });
    const contents = this.#contents(kind, false);
    return { standing, placed, content: contents.length === 0 ? placed : this.#key("content", [placed, contents]) };
  }

  #stagesSlice(): unknown {
    const { paths, placements, stamps: all } = this.#spec;
    const keys = this.#standing();
    const nameOf = (k: number) => placements[k].name;
    const stampAt = ({ stamp, weight }: StampsOfKind["picks"][number]) => {
      const { cells, fits } = all[stamp];
      return { weight, fits, cells: cells.map((cell) => ({ ...cell, kinds: cell.kinds.map(nameOf) })) };
    };
    return {
      paths: paths.map(({ kinds, ...path }) => ({ ...path, kinds: kinds.map((k) => keys[k]) })),
      stamps: placements.flatMap(({ stamps }, k) =>
        stamps === undefined ? [] : [[keys[k], stamps.turns, stamps.picks.map(stampAt)]],
      ),
    };
  }

  #contents({ contents }: PlacementSpec, isFromWorld: boolean): unknown[] {
    const slice = ({ groups, ...content }: ContentSpec) => ({
      ...content,
      groups: groups.map(({ source, ...group }) => ({ ...group, ...this.#source(content.kind, source) })),
    });
    return contents.filter(({ stock }) => (stock === "world") === isFromWorld).map(slice);
  }

  /** The key of a source, which can be large. Only scripts of tables can read the time. */
  #source(kind: ContentSpec["kind"], source: string): { readonly source: string; readonly now: string | undefined } {
    const id = `${kind} ${source}`;
    const key = this.#sources.get(id) ?? hashOf(JSON.stringify(this.#sourceSlice(kind, source)));
    this.#sources.set(id, key);
    return { source: key, now: kind === "table" || kind === "drops" ? this.#manifest.now : undefined };
  }

  #sourceSlice(kind: ContentSpec["kind"], source: string): unknown {
    const { tables, drops, recipes, objects, pools } = this.#spec.sources;
    const spec = {
      table: tables.get(source),
      drops: drops.get(source),
      recipe: recipes.get(source),
      objects: objects.get(source),
      pools: pools.get(source),
    }[kind];
    return kind === "recipe" ? plain(spec) : withoutFiles(plain(spec));
  }
}

/**
 * Leaves out the names of files, which only messages use. A job that is opened again has other paths. Not for recipes:
 * a column of words can have any name.
 */
function withoutFiles(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) return data.map(withoutFiles);
  const fields = Object.entries(data).filter(([key, value]) => key !== "file" || typeof value !== "string");
  return Object.fromEntries(fields.map(([key, value]) => [key, withoutFiles(value)]));
}

/** Converts data to JSON in which the order of the fields of an object, and fields that are undefined, do not matter. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") throw new Error("a description has no functions");
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map) return ["map", ...Array.from(value, plain)];
  if (value instanceof Set || Array.isArray(value)) return Array.from(value, plain);
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, plain(field)]));
}
