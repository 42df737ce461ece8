import type { Command } from "commander";
import { createMill, toNumber } from "../../index.js";
import { DIRECTION_KEYS, HEADING_KEYS } from "../../walks/directions.js";
import { type DirectionKey, MAX_STEPS, MAX_WALKERS } from "../../walks/index.js";
import { choice, define, option } from "../command.js";
import { report } from "../shared/documents.js";
import { readJson } from "../shared/files.js";
import { type Io, refuse, write } from "../shared/io.js";
import { countOf, FORK, forkOf, JSON_DOCUMENT, SEED, seedOr } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { addWalkMerge, addWalkRun } from "./run.js";
import { changedLayer, earlierMaps, layerIndex, openWalk, WALKING } from "./spec.js";

const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
const LAYER = option("--layer <name>", "name of the layer; required if the spec has several");

export function addWalk(walk: Command, io: Io): void {
  addWalkRun(walk, io);
  addWalkMerge(walk, io);
  define(walk.command("ends"), io, {
    examples: ["walk ends {examples/walk.json} --layer rivers --walkers 5 --seed moria"],
    takes: [SPEC],
    description: "print the last cell of each walker as row,col",
    options: [
      SEED,
      FORK,
      option("--walkers <walkers>", "number of walkers (default: the spec's)", countOf(1, MAX_WALKERS)),
      option("--steps <steps>", "number of steps of each walker (default: the spec's)", countOf(0, MAX_STEPS)),
      LAYER,
    ],
    async run(flags, file) {
      const { seed, layer, fork, ...changes } = flags;
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
    },
  });
  define(walk.command("odds"), io, {
    examples: ["walk odds {examples/walk.json} --layer land --heading E"],
    takes: [SPEC],
    description: "exact chance of each of the six directions in one step",
    options: [
      choice("--heading <heading>", "direction of the previous step; rest if there is none", [
        ...HEADING_KEYS.keys(),
      ]).default("rest"),
      option("--closed <directions>", "directions that are closed, separated by commas", closedDirections),
      LAYER,
      JSON_DOCUMENT,
    ],
    async run(flags, file) {
      const { heading = "rest", closed, layer } = flags;
      const input = await readJson(io, file);
      using mill = createMill({ seed: "" });
      const walk = openWalk(mill, input, file);
      const { name } = walk.layers[layerIndex(walk, layer)];
      const list = walk.odds({ layer: name, heading, closed }).odds.map(({ result: direction, probability }) => ({
        direction,
        ...probability,
        probability: toNumber(probability),
      }));
      await report(io, flags, {
        head: { command: "walk odds", name: walk.name },
        data: () => list,
        lines: () =>
          list.map(({ direction, numerator, denominator, probability }) => {
            const fraction = `${numerator}/${denominator}`;
            return `${direction.padEnd(2)}  ${fraction.padEnd(12)} ${probability.toPrecision(6)}`;
          }),
      });
    },
  });
}

function closedDirections(text: string): DirectionKey[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !DIRECTION_KEYS.has(name as DirectionKey));
  if (wrong === undefined) return names as DirectionKey[];
  const expected = [...DIRECTION_KEYS.keys()].join(", ");
  return refuse("--closed has an unknown direction", { got: wrong, expected });
}
