import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { all, asTwin, pairOf, realIsMissing, realTexts } from "./pair.js";

const LEVELS = Array.from({ length: 127 }, (_, i) => i + 1);
const QUALITIES = [
  ["normal", {}],
  ["good", { good: true }],
  ["great", { great: true }],
] as const;

describe.skipIf(realIsMissing)("kernel and twin on a game's own files (../shared/data is needed)", () => {
  test.each(QUALITIES)(
    "make the same %s object of every kind at every level 1 to 127",
    (_, how) => {
      const pair = pairOf(realTexts());
      const kinds = pair.maker.files.kinds.filter(({ tval }) => tval !== 0);
      for (const level of LEVELS) {
        for (const { number } of kinds) {
          const asked = { level, ...how, kind: number };
          const twin = pair.twin.make(pair.maker.next, asTwin(pair, asked));
          const made = pair.maker.make(asked);
          // (the matcher takes ten times as long as making both)
          if (!isDeepStrictEqual(made, twin)) expect(made).toEqual(twin);
        }
      }
      expect(pair.maker.claims.length).toBe(pair.twin.claims.size);
    },
    240_000,
  );

  test.each(QUALITIES)(
    "make the same %s objects of drawn kinds at every level 1 to 127",
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
