import { describe, expect, test } from "vitest";
import { add, ONE, ZERO } from "../../src/fractions.js";
import { createMill, type Walk } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import { compileTensor } from "../../src/walks/compile.js";
import {
  DIRECTIONS,
  type Heading,
  PRESETS,
  type PresetName,
  type TensorInput,
  type TensorSpec,
} from "../../src/walks/index.js";
import { parseTensor } from "../../src/walks/parse.js";
import { refusalOf } from "../refusal.js";
import { sixths } from "./cases.js";

const headings: readonly Heading[] = [...DIRECTIONS, "resting"];
const zeros = new Array(6).fill(ZERO);
const combinedOf = (input: unknown) => compileTensor(specOf(parseTensor(input))).combined;
const findings = (input: unknown) => parseTensor(input).issues.map(({ code, where }) => [code, where.path]);

describe("a tensor", () => {
  test("combined[d][c] = absolute[c] · relative[(c − d) mod 6], clockwise from NW and from straight ahead", () => {
    const spec: TensorSpec = { absolute: [1, 2, 3, 4, 5, 6], relative: [10, 20, 30, 40, 50, 60] };
    const { combined } = compileTensor(spec);
    for (let d = 0; d < 6; d++) {
      for (let c = 0; c < 6; c++) expect(combined[d * 6 + c]).toBe(spec.absolute[c] * spec.relative[(c - d + 6) % 6]);
    }
    expect([...combined.subarray(36)]).toEqual(spec.absolute);
  });

  test("absolute and relative decimals are each scaled by their own power of ten", () => {
    const combined = combinedOf({ absolute: { NW: 0.5, NE: 1 }, relative: { forward: 0.25, leftForward: 1 } });
    expect([...combined.subarray(36)]).toEqual([5, 10, 0, 0, 0, 0]);
    expect([...combined.subarray(0, 6)]).toEqual([125, 0, 0, 0, 0, 0]);
    expect([...combined.subarray(6, 12)]).toEqual([500, 250, 0, 0, 0, 0]);
  });

  test("a heading whose products are all zero keeps its zeros", () => {
    const combined = combinedOf({ absolute: { E: 1 }, relative: { rightForward: 1 } });
    const sums = headings.map((_, d) => combined.subarray(d * 6, d * 6 + 6).reduce((a, b) => a + b, 0));
    expect(sums).toEqual([0, 1, 0, 0, 0, 0, 1]);
  });

  test("a sum of 2^32 - 1 is accepted and one more is refused", () => {
    expect(combinedOf({ absolute: { NW: 65535 }, relative: { forward: 65537 } })[0]).toBe(0xffff_ffff);
    for (const over of [
      { absolute: { NW: 65536 }, relative: { forward: 65536 } },
      { absolute: { E: 65536, W: 1 }, relative: { forward: 65536 } },
      { absolute: { NW: 1, NE: 1 }, relative: { forward: 0xffff_ffff, rightForward: 1 } },
    ]) {
      expect(findings(over)).toEqual([["weights.overflow", ""]]);
    }
  });

  test("an all-zero absolute vector is refused, an all-zero relative one is not", () => {
    expect(findings({ absolute: {}, relative: {} })).toEqual([["weights.empty", "absolute"]]);
    expect(findings({ absolute: { NW: 1 }, relative: {} })).toEqual([]);
  });

  test("bad weights are reported by direction and turn", () => {
    expect(findings({ absolute: { NW: -1 }, relative: { "4:00": Number.NaN } })).toEqual([
      ["weights.invalid", "absolute.NW"],
      ["weights.invalid", "relative.4:00"],
    ]);
  });
});

describe("walk.odds", () => {
  const open = (tensor: TensorInput): Walk => createMill({ seed: "odds" }).walk("land", { tensor });
  const biased = open({ absolute: { NW: 1, NE: 2, E: 3 }, relative: { forward: 1, rightForward: 1 } });
  const chances = (options?: Parameters<Walk["odds"]>[0]) =>
    biased.odds(options).odds.map(({ probability }) => probability);

  test("combined weights over the open directions, else absolute ones, else rest", () => {
    expect(biased.odds().odds.map(({ result }) => result)).toEqual([...DIRECTIONS]);
    expect(chances()).toEqual(sixths(1, 2, 3, 0, 0, 0));
    expect(chances({ heading: "NW" })).toEqual(sixths(1, 2, 0, 0, 0, 0));
    expect(chances({ heading: "NW", closed: ["NW"] })).toEqual(sixths(0, 1, 0, 0, 0, 0));
    expect(chances({ heading: "NW", closed: new Set(["NW", "NE"] as const) })).toEqual(sixths(0, 0, 1, 0, 0, 0));
    expect(chances({ heading: "SE", closed: ["East"] })).toEqual(sixths(1, 2, 0, 0, 0, 0));
    const enclosed = biased.odds({ heading: "NW", closed: ["NW", "NE", "E"] });
    expect(enclosed.odds.map(({ probability }) => probability)).toEqual(zeros);
    expect(enclosed.none).toEqual(ONE);
  });

  test("the odds and none add up to 1 for every heading and every set of closed directions", () => {
    const walk = open({ absolute: { NW: 3, E: 0.5, SW: 2, W: 1 }, relative: { forward: 1, "4:00": 2.5 } });
    for (const heading of headings) {
      for (let bits = 0; bits < 64; bits++) {
        const closed = DIRECTIONS.filter((_, c) => (bits >> c) & 1);
        const { odds, none } = walk.odds({ heading, closed });
        expect(odds.map(({ probability }) => probability).reduce(add, none)).toEqual(ONE);
        for (const { result, probability } of odds) {
          if (closed.includes(result) || result === "NE" || result === "SE") expect(probability).toEqual(ZERO);
        }
      }
    }
  });

  test("of a layer; unknown layers, names and options are refused", () => {
    const layers = [{ name: "land" }, { name: "rivers", preset: "sf66-rf33" }] as const;
    const walk = createMill({ seed: "odds" }).walk("world", { layers });
    const { odds } = walk.odds({ layer: "rivers", heading: "E" });
    expect(odds.map(({ probability }) => probability)).toEqual(sixths(0, 0, 2, 1, 0, 0));
    const codes = [
      () => walk.odds(),
      () => walk.odds({ layer: "roads" }),
      () => biased.odds({ heading: "north" as "NW" }),
      () => biased.odds({ closed: ["toString" as "NW"] }),
      () => biased.odds({ close: ["NW"] } as object),
    ].map((use) => refusalOf(use).code);
    expect(codes).toEqual([...new Array(4).fill("argument.range"), "argument.option"]);
  });
});

describe("presets", () => {
  const names = Object.keys(PRESETS) as PresetName[];
  const chancesFromEast = (preset: PresetName) =>
    createMill({ seed: "odds" })
      .walk("land", { preset })
      .odds({ heading: "E" })
      .odds.map(({ probability }) => probability);

  test("the study's patterns by name; percent pairs are weights 2:1", () => {
    expect(names).toEqual(["rb50-lb50", "rb66-lb33", "sf66-rf33", "rf50-lf50", "five-ways", "uniform"]);
    const fromEast = Object.fromEntries(names.map((name) => [name, chancesFromEast(name)]));
    expect(fromEast["rb50-lb50"]).toEqual(sixths(1, 0, 0, 0, 1, 0));
    expect(fromEast["rb66-lb33"]).toEqual(sixths(1, 0, 0, 0, 2, 0));
    expect(fromEast["sf66-rf33"]).toEqual(sixths(0, 0, 2, 1, 0, 0));
    expect(fromEast["rf50-lf50"]).toEqual(sixths(0, 1, 0, 1, 0, 0));
    expect(fromEast["five-ways"]).toEqual(sixths(1, 1, 1, 1, 1, 0));
    expect(fromEast.uniform).toEqual(sixths(1, 1, 1, 1, 1, 1));
  });

  test("no preset has a bias of its own among the six directions", () => {
    for (const name of names) expect(PRESETS[name].absolute).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
