import type { Command } from "commander";
import { createMill, type Issue, RollmillError } from "../../index.js";
import { compileWorld } from "../../worlds/compile.js";
import {
  checkWorld,
  type LayerCost,
  type PlacementOdds,
  type PlacementSpec,
  type WorldSpec,
} from "../../worlds/index.js";
import { type CellShare, worldOdds } from "../../worlds/odds.js";
import { define } from "../command.js";
import { report, reportIssues } from "../shared/documents.js";
import type { Io } from "../shared/io.js";
import { JSON_DOCUMENT, type JsonFlag } from "../shared/options.js";
import { approximate } from "../shared/progress.js";
import { addWorldPicture } from "./picture.js";
import { loadWorldAt, openWorld, readWorld, SPEC, worldName } from "./spec.js";
import { addWorldWindow } from "./window.js";

export function addWorld(world: Command, io: Io): void {
  define(world.command("show"), io, {
    examples: ["world show {examples/coast.json}"],
    takes: [SPEC],
    description: "print the layers with reach and cost, the terrains, and the placements with expected densities",
    options: [JSON_DOCUMENT],
    run: (flags, file) => show(io, flags, file),
  });
  define(world.command("check"), io, {
    examples: ["world check {examples/coast.json}"],
    takes: [SPEC],
    description: "list every error and warning, such as rules that can never hold; exit 2 on an error",
    options: [JSON_DOCUMENT],
    async run(flags, file) {
      const { spec, issues } = await loadWorldAt(io, file);
      const found = spec === undefined ? [] : [...openingIssues(spec, file), ...checkWorld(spec, { file })];
      const name = spec === undefined ? "" : worldName(spec, file);
      await reportIssues(io, flags, { command: "world check", name, issues: [...issues, ...found] });
    },
  });
  addWorldWindow(world, io);
  addWorldPicture(world, io);
}

async function show(io: Io, flags: JsonFlag, file: string): Promise<void> {
  const spec = await readWorld(io, file);
  const name = worldName(spec, file);
  const { costs } = compileWorld(spec, { name });
  const odds = worldOdds(spec);
  await report(io, flags, {
    head: { command: "world show", name },
    data: () => ({
      grid: spec.walk.grid,
      layers: costs,
      terrains: spec.terrains.map((terrain, i) => ({ ...terrain, share: odds.terrains[i].share })),
      placements: spec.placements.map((kind, i) => ({
        ...kind,
        terrains: kind.terrains.map((terrain) => spec.terrains[terrain].name),
        ...odds.placements[i],
      })),
    }),
    lines: () => {
      const terrains = spec.terrains.map((terrain, i) => terrainLine(terrain, odds.terrains[i].share));
      const placements = spec.placements.map((kind, i) => placementLine(spec, kind, odds.placements[i]));
      return [
        `world ${name}`,
        "layers:",
        ...costs.map(layerLine),
        ...section("terrain:", terrains),
        ...section("placements:", placements),
      ];
    },
  });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function layerLine({ name, kind, walkers, steps, side, reach, region }: LayerCost): string {
  const walking = `${walkers} walkers of ${steps} steps`;
  if (kind === "finite") return `  ${name}: finite, ${walking}, ${approximate(region.steps)} steps in all`;
  const needs = `${region.regions} regions, ${approximate(region.steps)} steps, about ${approximate(region.bytes)} bytes`;
  return `  ${name}: ${walking} in each region of ${side} × ${side}; reach ${reach}; 256 × 256 cells need ${needs}`;
}

function terrainLine({ name, color, tags }: WorldSpec["terrains"][number], share: CellShare | undefined): string {
  const digits = color.map((part) => part.toString(16).padStart(2, "0")).join("");
  const expected = share === undefined ? "depends on layers" : `share ${shareText(share)}`;
  return `  ${name}: #${digits}${tags.length === 0 ? "" : `, tags ${tags.join(", ")}`}, ${expected}`;
}

function placementLine(
  { terrains }: WorldSpec,
  { name, terrains: on, density, distance, content }: PlacementSpec,
  { standing, perCell }: PlacementOdds,
): string {
  const place = terrains.length === 0 ? "everywhere" : `on ${on.map((terrain) => terrains[terrain].name).join(", ")}`;
  const candidates = `candidates ${density.numerator}/${density.denominator}`;
  const kept = `${terrains.length === 0 ? "standing" : "standing on large areas"} ${shareText(standing)}`;
  const whole = perCell === undefined || terrains.length === 0 ? [] : [`of all cells ${shareText(perCell)}`];
  const holds = content === undefined ? [] : [`${content.kind} ${content.source}`];
  return `  ${name}: ${[place, candidates, `distance ${distance}`, kept, ...whole, ...holds].join("; ")}`;
}

/** Of a printed fraction. */
const MAX_CHARACTERS = 24;

function shareText({ exact, value }: CellShare): string {
  const text = exact === undefined ? "" : `${exact.numerator}/${exact.denominator}`;
  const decimal = value.toPrecision(6);
  return text === "" || text.length > MAX_CHARACTERS ? decimal : `${text} = ${decimal}`;
}

/** Returns the errors that only opening finds, such as a content whose options name an unknown kind of object. */
function openingIssues(spec: WorldSpec, file: string): readonly Issue[] {
  try {
    using mill = createMill({ seed: "" });
    openWorld(mill, spec, file);
    return [];
  } catch (cause) {
    if (cause instanceof RollmillError) return cause.issues;
    throw cause;
  }
}
