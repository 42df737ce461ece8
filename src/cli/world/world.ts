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
import { withExamples } from "../examples.js";
import { printDocument } from "../shared/envelope.js";
import { type Io, print } from "../shared/io.js";
import { printIssues } from "../shared/issueList.js";
import { jsonOption } from "../shared/options.js";
import { approximate } from "../shared/progress.js";
import { addWorldPicture } from "./picture.js";
import { loadWorldAt, openWorld, readWorld, worldName } from "./spec.js";
import { addWorldWindow } from "./window.js";

interface JsonFlags {
  readonly json?: boolean;
}

export function addWorld(world: Command, io: Io): void {
  withExamples(world.command("show"), io, "world show {examples/coast.json}")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("print the layers with reach and cost, the terrains, and the placements with expected densities")
    .addOption(jsonOption())
    .action((file: string, flags: JsonFlags) => show(io, file, flags));
  withExamples(world.command("check"), io, "world check {examples/coast.json}")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("list every error and warning, such as rules that can never hold; exit 2 on an error")
    .addOption(jsonOption())
    .action((file: string, flags: JsonFlags) => check(io, file, flags));
  addWorldWindow(world, io);
  addWorldPicture(world, io);
}

async function show(io: Io, file: string, { json: asJson }: JsonFlags): Promise<void> {
  const spec = await readWorld(io, file);
  const name = worldName(spec, { file });
  const { costs } = compileWorld(spec, { name });
  const odds = worldOdds(spec);
  if (asJson) {
    const terrains = spec.terrains.map((terrain, i) => ({ ...terrain, share: odds.terrains[i].share }));
    const placements = spec.placements.map((kind, i) => ({
      ...kind,
      terrains: kind.terrains.map((terrain) => spec.terrains[terrain].name),
      ...odds.placements[i],
    }));
    const head = { command: "world show", seed: null, name };
    return printDocument(io, head, { grid: spec.walk.grid, layers: costs, terrains, placements });
  }
  const lines = [
    `world ${name}`,
    "layers:",
    ...costs.map(layerLine),
    ...section(
      "terrain:",
      spec.terrains.map((terrain, i) => terrainLine(terrain, odds.terrains[i].share)),
    ),
    ...section(
      "placements:",
      spec.placements.map((kind, i) => placementLine(spec, kind, odds.placements[i])),
    ),
  ];
  await print(io, `${lines.join("\n")}\n`);
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

async function check(io: Io, file: string, { json }: JsonFlags): Promise<void> {
  const { spec, issues } = await loadWorldAt(io, file);
  const head = { command: "world check", seed: null, name: spec === undefined ? "" : worldName(spec, { file }) };
  const found = spec === undefined ? [] : [...openingIssues(spec, file), ...checkWorld(spec, { file })];
  await printIssues(io, [...issues, ...found], { head, json });
}

/** Returns the errors that only opening finds, such as a content whose options name an unknown kind of object. */
function openingIssues(spec: WorldSpec, file: string): readonly Issue[] {
  try {
    using mill = createMill({ seed: "" });
    openWorld(mill, spec, { file });
    return [];
  } catch (cause) {
    if (cause instanceof RollmillError) return cause.issues;
    throw cause;
  }
}
