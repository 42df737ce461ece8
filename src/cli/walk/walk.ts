import { type Command, Option } from "commander";
import { error, fail } from "../../errors/index.js";
import { createMill, toNumber } from "../../index.js";
import { DIRECTION_KEYS, HEADING_KEYS } from "../../walks/directions.js";
import { type DirectionKey, type HeadingKey, MAX_STEPS, MAX_WALKERS } from "../../walks/index.js";
import { withExamples } from "../examples.js";
import { printDocument } from "../shared/envelope.js";
import { type ForkFlags, forkOf, forkOption } from "../shared/forks.js";
import { readJson } from "../shared/inputFile.js";
import { type Io, print, write } from "../shared/io.js";
import { countOf, jsonOption, seedOption, seedOr } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { addWalkMerge, addWalkRun } from "./run.js";
import { changedLayer, earlierMaps, layerIndex, openWalk, WALKING } from "./spec.js";

export function addWalk(walk: Command, io: Io): void {
  addWalkRun(walk, io);
  addWalkMerge(walk, io);
  withExamples(walk.command("ends"), io, "walk ends {examples/walk.json} --layer rivers --walkers 5 --seed moria")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("print the last cell of each walker as row,col")
    .addOption(seedOption())
    .addOption(forkOption())
    .option("--walkers <walkers>", "number of walkers (default: the spec's)", countOf(1, MAX_WALKERS))
    .option("--steps <steps>", "number of steps of each walker (default: the spec's)", countOf(0, MAX_STEPS))
    .option("--layer <name>", "name of the layer; required if the spec has several")
    .action((file: string, flags: EndsFlags) => ends(io, file, flags));
  withExamples(walk.command("odds"), io, "walk odds {examples/walk.json} --layer land --heading E")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("exact chance of each of the six directions in one step")
    .addOption(
      new Option("--heading <heading>", "direction of the previous step; rest if there is none")
        .choices([...HEADING_KEYS.keys()])
        .default("rest"),
    )
    .option("--closed <directions>", "directions that are closed, separated by commas", closedDirections)
    .option("--layer <name>", "name of the layer; required if the spec has several")
    .addOption(jsonOption())
    .action((file: string, flags: OddsFlags) => odds(io, file, flags));
}

interface EndsFlags extends ForkFlags {
  readonly seed?: string;
  readonly walkers?: number;
  readonly steps?: number;
  readonly layer?: string;
}

async function ends(io: Io, file: string, { seed, layer, fork, ...changes }: EndsFlags): Promise<void> {
  const input = changedLayer(await readJson(io, file), layer, changes);
  using mill = createMill({ seed: seedOr(io, seed) });
  const walk = forkOf(openWalk(mill, input, file), { fork });
  const { steps } = walk.layers[layerIndex(walk, layer)];
  using walked = walk.start({ layer, earlier: earlierMaps(walk, layer) });
  withProgress(io, WALKING, (onProgress) => walked.advance(steps, { onProgress }));
  let lines = "";
  for (const { row, col } of walked.positions()) {
    lines += `${row},${col}\n`;
    if (lines.length < 1e6) continue;
    await write(io, lines);
    lines = "";
  }
  await write(io, lines);
}

interface OddsFlags {
  readonly heading: HeadingKey;
  readonly closed?: readonly DirectionKey[];
  readonly layer?: string;
  readonly json?: boolean;
}

async function odds(io: Io, file: string, { heading, closed, layer, json: asJson }: OddsFlags): Promise<void> {
  const input = await readJson(io, file);
  using mill = createMill({ seed: "" });
  const walk = openWalk(mill, input, file);
  const { name } = walk.layers[layerIndex(walk, layer)];
  const list = walk.odds({ layer: name, heading, closed }).odds.map(({ result: direction, probability }) => ({
    direction,
    ...probability,
    probability: toNumber(probability),
  }));
  if (asJson) return printDocument(io, { command: "walk odds", seed: null, name: walk.name }, list);
  const lines = list.map(
    ({ direction, numerator, denominator, probability }) =>
      `${direction.padEnd(2)}  ${`${numerator}/${denominator}`.padEnd(12)} ${probability.toPrecision(6)}\n`,
  );
  await print(io, lines.join(""));
}

function closedDirections(text: string): DirectionKey[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !DIRECTION_KEYS.has(name as DirectionKey));
  if (wrong === undefined) return names as DirectionKey[];
  const expected = [...DIRECTION_KEYS.keys()].join(", ");
  return fail(error("cli.usage", { problem: "--closed has an unknown direction", got: wrong, expected }));
}
