import { type Finding, type Issue, issueWithin, warning } from "../errors/index.js";
import { isParsed, type Parsed, readOptions } from "../spec/index.js";
import { layersUsedBy } from "../walks/compile.js";
import { fieldsRead, layersOf } from "./compile.js";
import { probabilityOf, stampedKinds } from "./odds.js";
import { parseWorld } from "./parse.js";
import type { ContentSpec, WorldSpec } from "./types.js";

/**
 * Checks a world without making a cell. Returns all errors of {@link parseWorld}. If there are no errors, returns
 * warnings with the code `world.spec` about:
 *
 * - a rule whose `when` never holds, or always holds and so hides all later rules;
 * - a kind of placement with density 0 that no stamp places, or with terrains that no rule can produce;
 * - a stamp that fits no terrain that a rule can produce, or that no kind has;
 * - paths that join a kind with density 0, that can join no two placements because of `within`, or whose terrain is all
 *   closed;
 * - a layer with `start` and `scatter.walkers`, which gives a region with a single start cell all its walkers;
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
  const flaws = [
    ruleFlaws,
    placementFlaws,
    stampFlaws,
    pathFlaws,
    layerFlaws,
    unusedParts,
    unusedSources,
    unusedWorlds,
  ];
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
  for (const [i, { name, terrains: on, density }] of placements.entries()) {
    const kind = JSON.stringify(name);
    if (stamped.has(i) && density.numerator === 0n) continue;
    if (density.numerator === 0n) {
      const problem = `${kind} is never placed, because its density is 0`;
      yield { path: `placements[${i}].density`, problem, expected: "a density above 0" };
    }
    if (terrains.length > 0 && !on.some((terrain) => given.has(terrain))) {
      const problem = `${kind} is never placed, because no rule can produce its terrains`;
      yield { path: `placements[${i}].on`, problem, expected: "a terrain that some cell can have" };
    }
  }
}

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

function* unusedParts(spec: WorldSpec): Generator<Flaw> {
  const { layers } = spec.walk;
  const read = fieldsRead(spec);
  for (const [f, field] of spec.fields.entries()) {
    if (read.includes(field)) continue;
    const problem = `no rule refers to the field ${JSON.stringify(field.name)}`;
    yield { path: `fields[${f}]`, problem, remedy: "Ignore this if you read its values" };
  }
  const used = new Set([...layersOf(spec), ...layers.flatMap(layersUsedBy)]);
  for (const [l, { name }] of layers.entries()) {
    if (used.has(l)) continue;
    const problem = `no rule and no later layer refers to the layer ${JSON.stringify(name)}`;
    yield { path: `layers[${l}]`, problem, remedy: "Ignore this if you read its visits" };
  }
}

function* unusedSources({ sources, placements }: WorldSpec): Generator<Flaw> {
  const contents = placements.flatMap(({ content }) => (content === undefined ? [] : [content]));
  for (const [list, kind] of SOURCES) {
    for (const name of sources[list].keys()) {
      if (contents.some((content) => content.kind === kind && content.source === name)) continue;
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
  ["recipes", "recipe"],
  ["objects", "objects"],
  ["pools", "pool"],
] as const satisfies readonly (readonly [keyof WorldSpec["sources"], ContentSpec["kind"]])[];
