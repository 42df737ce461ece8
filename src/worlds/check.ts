import { type Finding, type Issue, issueWithin, warning } from "../errors/index.js";
import { isParsed, type Parsed, readOptions } from "../spec/index.js";
import { sourceAt, sourcesUsedBy } from "../walks/compile.js";
import { reachesOf } from "./areas.js";
import { fieldsRead, layersOf } from "./compile.js";
import { boundsOf } from "./fields.js";
import { probabilityOf, stampedKinds } from "./odds.js";
import { parseWorld } from "./parse.js";
import { type ContentSpec, type PlacementSpec, REGION_SIDE, type WorldSpec } from "./types.js";

/**
 * Checks a world without making a cell. Returns all errors of {@link parseWorld}. If there are no errors, returns
 * warnings with the code `world.spec` about:
 *
 * - a rule whose `when` never holds, or always holds and so hides all later rules;
 * - a kind of placement that never stands: because its density is 0 and no stamp places it, because no rule can produce
 *   its terrains, because its condition never holds, or because it must be near a kind that never stands, or far from
 *   what it must be near;
 * - a disc with fewer cells than `least` asks for, and a kind that depends on cells more than 256 steps away;
 * - a stamp that fits no terrain that a rule can produce, or that no kind has;
 * - paths that join a kind with density 0, that can join no two placements because of `within`, or whose terrain is all
 *   closed;
 * - a layer with `start` and `scatter.walkers`, which gives a region with a single start cell all its walkers;
 * - a layer that can never start, because its field never has a value of the range of `start` or `open`;
 * - an unused layer (no rule, field or later layer names it), an unused field, an unused source (no content names it)
 *   and an unused child world (no kind enters it). Child worlds are checked too.
 *
 * @param source - an object, or a spec that `parseWorld` or `loadWorld` returned.
 * @throws RollmillError `argument.option`, `argument.type` for invalid options.
 */
export function checkWorld(source: unknown, options: { readonly file?: string | undefined } = {}): readonly Issue[] {
  const { file } = readOptions("checkWorld", options, ["file"]);
  const { spec, issues }: Parsed<WorldSpec> = isParsed("world", source)
    ? { spec: source as WorldSpec, issues: [] }
    : parseWorld(source, { file });
  if (spec === undefined) return issues;
  return [...issues, ...warningsOf(spec, file)];
}

function warningsOf(spec: WorldSpec, file: string | undefined): readonly Issue[] {
  const kindFlaws = [placementFlaws, discFlaws, reachFlaws, stampFlaws, pathFlaws];
  const flaws = [ruleFlaws, ...kindFlaws, layerFlaws, startFlaws, unusedParts, unusedSources, unusedWorlds];
  const found = flaws.flatMap((flawsOf) => [...flawsOf(spec)]);
  const own = found.map(({ path, ...finding }) => warning("world.spec", { ...finding, where: { file, path } }));
  const inner = [...spec.worlds].flatMap(([name, child]) =>
    warningsOf(child, file).map((issue) => issueWithin(`worlds.${name}`, issue)),
  );
  return [...own, ...inner];
}

type Flaw = Finding & { readonly path: string };

function* ruleFlaws({ rules, terrains }: WorldSpec): Generator<Flaw> {
  for (const [i, { terrain, when }] of rules.entries()) {
    const share = when && probabilityOf(when)?.value;
    if (share !== 0 && share !== 1) continue;
    const flaw = share === 0 ? "can never hold" : "always holds, so no later rule applies";
    const problem = `the rule for ${JSON.stringify(terrains[terrain].name)} ${flaw}`;
    const remedy = `Change the condition, or remove the ${share === 0 ? "rule" : "later rules"}`;
    yield { path: `terrain[${i}].when`, problem, remedy };
  }
}

/** Returns the terrains that some rule can give. */
function givenTerrains({ rules }: WorldSpec): ReadonlySet<number> {
  const given = new Set<number>();
  for (const { terrain, when } of rules) {
    const share = when === undefined ? 1 : probabilityOf(when)?.value;
    if (share !== 0) given.add(terrain);
    if (share === 1) break;
  }
  return given;
}

function* placementFlaws(spec: WorldSpec): Generator<Flaw> {
  const { terrains, placements } = spec;
  const given = givenTerrains(spec);
  const stamped = stampedKinds(spec);
  const isGiven = (kind: PlacementSpec) => terrains.length === 0 || kind.terrains.some((one) => given.has(one));
  const never = new Set<PlacementSpec>();
  for (const [i, kind] of placements.entries()) {
    if (stamped.has(i) && kind.density.numerator === 0n) continue;
    const found = flawOf(kind, { isGiven: isGiven(kind), near: kind.near && placements[kind.near.kind], never });
    if (found === undefined) continue;
    if (kind.at.length === 0) never.add(kind);
    const [field, why, expected] = found;
    const cells = kind.at.length === 0 ? "" : ', except on the cells of "at"';
    const problem = `${JSON.stringify(kind.name)} is never placed${cells}, because ${why}`;
    yield { path: `placements[${i}].${field}`, problem, expected };
  }
}

interface KindScope {
  /** Whether a rule can produce one of the kind's terrains. */
  readonly isGiven: boolean;
  /** The kind that `near` names. */
  readonly near: PlacementSpec | undefined;
  /** Earlier kinds that are never placed. */
  readonly never: ReadonlySet<PlacementSpec>;
}

/** Returns a field because of which no cell is a candidate, with the reason and what was expected. */
function flawOf(kind: PlacementSpec, { isGiven, near: other, never }: KindScope): [string, string, string] | undefined {
  const { density, near, apart, alone, where, at, least } = kind;
  if (density.numerator === 0n && least === undefined) {
    return at.length > 0 ? undefined : ["density", "its density is 0", "a density above 0"];
  }
  if (!isGiven) return ["on", "no rule can produce its terrains", "a terrain that some cell can have"];
  if (where !== undefined && probabilityOf(where)?.value === 0) {
    return ["where", "its condition never holds", "a condition that can hold"];
  }
  if (near === undefined || other === undefined) return undefined;
  const name = JSON.stringify(other.name);
  if (never.has(other)) return ["near", `it must be near ${name}, which is never placed`, "a kind that is placed"];
  const isApart = apart?.kind === near.kind && apart.distance >= near.within;
  if (!isApart && !(alone && near.within === 0)) return undefined;
  const further = `a distance above ${isApart ? apart.distance : 0}`;
  return ["near", `it must be within ${near.within} steps of ${name}, and further away than that`, further];
}

function* discFlaws({ placements }: WorldSpec): Generator<Flaw> {
  for (const [i, { name, least }] of placements.entries()) {
    if (least === undefined) continue;
    const cells = 3 * least.within * (least.within + 1) + 1;
    if (least.count <= cells) continue;
    const problem = `${least.count} placements of ${JSON.stringify(name)} do not fit on ${cells} cells`;
    yield { path: `placements[${i}].least`, problem, remedy: 'Raise "within", or lower "count"' };
  }
}

function* reachFlaws({ placements }: WorldSpec): Generator<Flaw> {
  for (const [i, { steps, field }] of reachesOf(placements).entries()) {
    if (steps <= FAR) continue;
    const problem = `${JSON.stringify(placements[i].name)} depends on cells up to ${steps} steps away`;
    const cells = `So a region of ${REGION_SIDE} × ${REGION_SIDE} cells can need up to ${(REGION_SIDE + 2 * steps) ** 2} cells`;
    yield { path: `placements[${i}].${field}`, problem, remedy: `${cells}. Lower this distance if that is too slow` };
  }
}

/** The terrain of a region with a kind that depends on cells so far away takes more than nine times as long. */
const FAR = 256;

function* stampFlaws(spec: WorldSpec): Generator<Flaw> {
  const given = new Set([...givenTerrains(spec), ...spec.paths.flatMap(({ lays }) => lays)]);
  const used = new Set(spec.placements.flatMap(({ stamps }) => stamps?.picks ?? []).map(({ stamp }) => stamp));
  for (const [s, { name, fits }] of spec.stamps.entries()) {
    const stamp = JSON.stringify(name);
    if (!used.has(s))
      yield { path: `stamps.${name}`, problem: `no kind of placement has the stamp ${stamp}`, remedy: "Remove it" };
    else if (fits?.some((terrain) => given.has(terrain)) === false) {
      const problem = `${stamp} never fits, because no rule and no path can produce its terrains`;
      yield { path: `stamps.${name}.fits`, problem, expected: "a terrain that some cell can have" };
    }
  }
}

function* pathFlaws({ paths, placements }: WorldSpec): Generator<Flaw> {
  for (const [i, { name, kinds, within, costs }] of paths.entries()) {
    const paths = `the paths ${JSON.stringify(name)}`;
    const joined = kinds.map((kind) => placements[kind]);
    for (const kind of joined.filter(({ density }) => density.numerator === 0n)) {
      const problem = `${paths} join ${JSON.stringify(kind.name)}, which is never placed, because its density is 0`;
      yield { path: `paths[${i}].between`, problem, remedy: "Remove it, or raise its density" };
    }
    const [first] = joined;
    if (joined.length === 1 && within <= first.distance) {
      const problem = `${paths} join nothing: two placements of ${JSON.stringify(first.name)} are farther apart`;
      yield { path: `paths[${i}].within`, problem, got: within, expected: `more than ${first.distance}` };
    }
    if (costs.every((cost) => cost === 0)) {
      const problem = `${paths} have no way, because all terrain is closed`;
      yield { path: `paths[${i}].cost`, problem, expected: "a cost for some terrain" };
    }
  }
}

function* layerFlaws({ walk: { layers } }: WorldSpec): Generator<Flaw> {
  for (const [l, { name, scatter, start, walkers }] of layers.entries()) {
    if (scatter === undefined || scatter.density !== undefined || start.kind !== "layer") continue;
    const each = walkers === 1 ? "one walker" : `all ${walkers} walkers`;
    const problem = `${JSON.stringify(name)} starts ${each} in every region that has a start cell, even if it has only one`;
    const remedy = 'Use "density" in place of "walkers": then the starts are equally dense in all regions';
    yield { path: `layers[${l}].scatter`, problem, remedy };
  }
}

/** A layer whose walkers can start only in ranges of fields that have no cell. */
function* startFlaws({ walk, fields }: WorldSpec): Generator<Flaw> {
  const bounds = boundsOf(fields);
  const isEmpty = (source: number) => {
    const { range } = sourceAt(walk, source);
    if (range === undefined) return false;
    const [least, most] = bounds[range.field];
    return range.least > most || range.most < least;
  };
  for (const [l, { name, start, openLayers }] of walk.layers.entries()) {
    const isStart = start.kind === "layer" && isEmpty(start.layer);
    if (!isStart && (openLayers.length === 0 || !openLayers.every(isEmpty))) continue;
    const problem = `no walker of ${JSON.stringify(name)} can start, because the field never has such a value`;
    yield {
      path: `layers[${l}].${isStart ? "start" : "open"}`,
      problem,
      expected: "a range of values that the field has",
    };
  }
}

function* unusedParts(spec: WorldSpec): Generator<Flaw> {
  const { walk, fields } = spec;
  const { layers } = walk;
  const sources = layers.flatMap(sourcesUsedBy).map((source) => sourceAt(walk, source));
  // layers read fields, and through them other layers
  const own = sources.flatMap(({ field }) => (field === undefined ? [] : [field]));
  const reads = { ...spec, own };
  const read = fieldsRead(reads);
  for (const [f, field] of fields.entries()) {
    if (read.includes(field)) continue;
    const problem = `no rule and no layer refers to the field ${JSON.stringify(field.name)}`;
    yield { path: `fields[${f}]`, problem, remedy: "Ignore this if you read its values" };
  }
  const used = new Set([...layersOf(reads), ...sources.map(({ layer }) => layer)]);
  for (const [l, { name, steps }] of layers.entries()) {
    // a world without walks has one layer, because it must have one
    if (used.has(l) || (layers.length === 1 && steps === 0)) continue;
    const problem = `no rule and no later layer refers to the layer ${JSON.stringify(name)}`;
    yield { path: `layers[${l}]`, problem, remedy: "Ignore this if you read its visits" };
  }
}

function* unusedSources({ sources, placements }: WorldSpec): Generator<Flaw> {
  const contents = placements.flatMap((kind) => kind.contents);
  for (const [list, kind] of SOURCES) {
    const used = contents.filter((content) => content.kind === kind).flatMap(({ groups }) => groups);
    for (const name of sources[list].keys()) {
      if (used.some(({ source }) => source === name)) continue;
      yield { path: `${list}.${name}`, problem: `no content uses ${JSON.stringify(name)}`, remedy: "Remove it" };
    }
  }
}

function* unusedWorlds({ worlds, placements }: WorldSpec): Generator<Flaw> {
  for (const name of worlds.keys()) {
    if (placements.some(({ enters }) => enters?.world === name)) continue;
    const problem = `no kind of placement enters the world ${JSON.stringify(name)}`;
    yield { path: `worlds.${name}`, problem, remedy: `Remove it, or add "enters": ${JSON.stringify(name)} to a kind` };
  }
}

const SOURCES = [
  ["tables", "table"],
  ["drops", "drops"],
  ["recipes", "recipe"],
  ["objects", "objects"],
  ["pools", "pools"],
] as const satisfies readonly (readonly [keyof WorldSpec["sources"], ContentSpec["kind"]])[];
