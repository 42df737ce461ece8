import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { compileObjects } from "../../src/objects/compile.js";
import { KernelObjects, makeParts } from "../../src/objects/kernel.js";
import { MadeObjects } from "../../src/objects/make/madeObjects.js";
import { readRequest } from "../../src/objects/make/request.js";
import { keyIn, openKernel } from "../kernel/open.js";
import { IS_SOAK } from "../soak.js";
import { all, asTwin, pairOf, realIsMissing, realTexts } from "./pair.js";

/** Every third level; `npm run soak:cases` has all. */
const LEVELS = Array.from({ length: 127 }, (_, i) => i + 1).filter((level) => IS_SOAK || level % 3 === 1);
const QUALITIES = [
  ["normal", {}],
  ["good", { good: true }],
  ["great", { great: true }],
] as const;

describe.skipIf(realIsMissing)("kernel and twin on a game's own files (../shared/data is needed)", () => {
  test.each(QUALITIES)("make the same %s object of every kind at levels 1 to 127", (quality, how) => {
    const [seed, name] = ["moria", "drops"];
    const { maker, twin } = pairOf(realTexts(), { seed, name });
    const plan = compileObjects(maker.files);
    const kernel = new KernelObjects({ kernel: openKernel(), name, stream: { key: keyIn(seed, name) }, plan });
    const kinds = plan.files.kinds.filter(({ tval }) => tval !== 0);
    // one room and one request a level: a call of `make` for each object takes longer than making it
    const out = new MadeObjects(plan, 1);
    for (const level of LEVELS) {
      const request = readRequest(plan.files, { level, ...how });
      out.making = { level, quality };
      for (const kind of kinds) {
        const wanted = twin.make(out.from, { level, quality, kind });
        makeParts(kernel, { name: "drops", total: 1, from: out.from, request: { ...request, kind } }, {}, { out });
        const made = out.at(0);
        // (the matcher takes ten times as long as making both)
        if (!isDeepStrictEqual(made, wanted)) expect(made).toEqual(wanted);
        out.from++;
      }
    }
    const { keys } = kernel.owners;
    expect(keys.filter((_, i) => kernel.owners.isMade(i)).length).toBe(twin.claims.size);
  });

  // (`make` only reads the request, and then calls what the test above calls at every level)
  test("make the same object of every kind and quality in single calls, at every 18th level", () => {
    const pair = pairOf(realTexts());
    const kinds = pair.maker.files.kinds.filter(({ tval }) => tval !== 0);
    for (let level = 1; level <= 127; level += 18) {
      for (const [, how] of QUALITIES) {
        for (const { number } of kinds) {
          const asked = { level, ...how, kind: number };
          const twin = pair.twin.make(pair.maker.next, asTwin(pair, asked));
          const made = pair.maker.make(asked);
          if (!isDeepStrictEqual(made, twin)) expect(made).toEqual(twin);
        }
      }
    }
    expect(pair.maker.claims.length).toBe(pair.twin.claims.size);
  });

  test.each(QUALITIES)(
    "make the same %s objects of drawn kinds at levels 1 to 127",
    (_, how) => {
      const pair = pairOf(realTexts(), { name: "drawn" });
      for (const level of LEVELS) {
        const asked = { level, ...how };
        const from = pair.maker.next;
        const twins = Array.from({ length: 40 }, (__, k) => pair.twin.make(from + k, asTwin(pair, asked)));
        expect(all(pair.maker.makeMany(40, asked))).toEqual(twins);
      }
    },
    120_000,
  );
});
