import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkObjectFiles } from "../../src/objects/index.js";
import { Obtainable, reaches } from "../../src/objects/law/reach.js";
import { affixWeight, excludeEachOther, halfPercents } from "../../src/objects/law/slots.js";
import type { AffixSpec, KindSpec, ObjectFiles, ThemeSpec } from "../../src/objects/types.js";
import { filesOf } from "./scripted.js";

/** Beyond the depths of all lines below. */
const DEPTHS = Array.from({ length: 10 }, (_, depth) => depth);
const TYPES = [
  ["sword", 23],
  ["ring", 45],
] as const;

/** Whether an affix weighs something on a kind, by trying every place. */
function comes({ levels }: ObjectFiles, affix: AffixSpec, kind: KindSpec): boolean {
  return DEPTHS.some((level) =>
    DEPTHS.some((boost) =>
      levels.some((_, affixLevel) => affixWeight(affix, { kind, level, depth: level + boost, affixLevel }) > 0),
    ),
  );
}

/** What the warning of a theme says it has, by every kind and every pair of affixes; undefined where there is none. */
function themeFlaw(files: ObjectFiles, { targets, parts, ...rest }: ThemeSpec): string | undefined {
  const weightOf = ({ number }: AffixSpec) =>
    parts.filter(({ affix }) => affix === number).reduce((sum, { weight }) => sum + weight, 0);
  const kinds = files.kinds.filter((kind) => reaches(targets, kind));
  if (kinds.length === 0) return "T";
  const met = kinds.map((kind) => files.affixes.filter((one) => weightOf(one) > 0 && comes(files, one, kind)));
  const most = Math.max(...met.map(({ length }) => length));
  if (most < 2) return `${most} of its affixes`;
  const pairs = met.filter((all) => all.some((a) => all.some((b) => a !== b && !excludeEachOther(a, b))));
  if (pairs.length === 0) return "affixes exclude";
  const theme = { targets, parts, ...rest };
  if (pairs.some((all) => halfPercents(theme, new Set(all.map(({ number }) => number))) > 0)) return undefined;
  return `at most ${Math.max(...pairs.map((all) => all.reduce((sum, one) => sum + weightOf(one), 0)))} of`;
}

const type = fc.constantFrom(...TYPES.map(([word]) => word));
const range = (most: number, separator: string) =>
  fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => `${Math.min(a, b)}${separator}${Math.max(a, b)}`);
const level = fc.constantFrom("good", "good", "great");
const line = fc
  .tuple(type, range(3, ":"), level, fc.nat(1), range(8, " to "))
  .map(([word, svals, least, probability, depths]) => `T:${word}:${svals}:${least}:${probability}:${depths}\n`);
const name = fc.nat(4).map((i) => `A${i}`);
const listOf = (record: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(record, { maxLength }).map((all) => all.join(""));
/** Records `N:1:head1`, `N:2:head2`, …, each with its lines. */
const numbered = (bodies: readonly string[], head: string) =>
  bodies.map((body, i) => `N:${i + 1}:${head}${i}\n${body}`).join("");
const files = fc
  .record({
    kinds: fc.uniqueArray(fc.tuple(fc.constantFrom(...TYPES), fc.nat(4)), {
      minLength: 1,
      maxLength: 6,
      selector: ([[, tval], sval]) => `${tval}:${sval}`,
    }),
    affixes: fc.array(
      fc.tuple(
        listOf(line, 6),
        listOf(
          name.map((other) => `X:${other}\n`),
          3,
        ),
      ),
      { minLength: 5, maxLength: 5 },
    ),
    themes: fc.array(
      fc.tuple(
        listOf(
          fc.tuple(type, range(4, ":")).map(([word, svals]) => `T:${word}:${svals}:1 to 9\n`),
          3,
        ),
        listOf(
          fc.tuple(name, fc.constantFrom(0, 1, 2, 20, 70)).map(([part, weight]) => `A:${part}:${weight}\n`),
          5,
        ),
      ),
      { maxLength: 5 },
    ),
    artifacts: fc.array(
      fc.tuple(
        fc.tuple(type, fc.nat(4)).map(([word, sval]) => `I:${word}:${sval}\nA:1:1 to 9\n`),
        listOf(
          name.map((part) => `Q:${part}\n`),
          4,
        ),
      ),
      { maxLength: 4 },
    ),
  })
  .map(({ kinds, affixes, themes, artifacts }) =>
    filesOf({
      object: numbered(
        kinds.map(([[, tval], sval]) => `I:${tval}:${sval}\nA:1:1 to 9\n`),
        "K",
      ),
      egoItem: numbered(
        affixes.map((parts) => parts.join("")),
        "prefix:A",
      ),
      egoThemes: numbered(
        themes.map((parts) => parts.join("")),
        "prefix:T",
      ),
      artifact: numbered(
        artifacts.map((parts) => parts.join("")),
        "R",
      ),
    }),
  );

/** What is warned of a record: what it has got; undefined where nothing is. */
function warned(all: ObjectFiles, problem: string): string | undefined {
  const found = checkObjectFiles(all).find(({ message }) => message.startsWith(problem));
  return found?.message.slice(problem.length);
}

describe("what can never be made is found as by trying everything", () => {
  test("which affixes can come on which kinds", () => {
    fc.assert(
      fc.property(files, (all) => {
        const known = new Obtainable(all);
        const some = (kind: KindSpec) => all.affixes.some((affix) => comes(all, affix, kind));
        for (const kind of all.kinds) {
          const can = all.affixes.filter((affix) => known.canGet(kind, affix));
          expect(can).toEqual(all.affixes.filter((affix) => comes(all, affix, kind)));
          expect(known.canGetSome(kind)).toBe(some(kind));
        }
        for (const { targets } of [...all.affixes, ...all.themes]) {
          const reached = known.order.reachedBy(targets);
          expect(reached).toEqual(known.order.kinds.filter((kind) => reaches(targets, kind)));
          expect(known.order.isReachedBy(targets)).toBe(reached.length > 0);
        }
        for (const affix of all.affixes) {
          expect(known.canCome(affix)).toBe(all.kinds.some((kind) => comes(all, affix, kind)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("themes, by every kind and every pair", () => {
    fc.assert(
      fc.property(files, (all) => {
        for (const theme of all.themes) {
          const flaw = themeFlaw(all, theme);
          const said = warned(all, `no object can get the theme "${theme.name}", because `);
          if (flaw === undefined) expect(said).toBeUndefined();
          else expect(said).toContain(flaw);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a theme too light on one kind, and then less so, or enough, on another", () => {
    const warning = (weight: number) => {
      const all = filesOf({
        object: "N:1:K\nI:23:1\nA:1:1 to 9\nN:2:K\nI:23:2\nA:1:1 to 9\nN:3:K\nI:23:3\nA:1:1 to 9\n",
        egoItem: [
          "N:1:prefix:A\nT:sword:0:9:good:1:1 to 9\nN:2:prefix:B\nT:sword:1:1:good:1:1 to 9",
          "N:3:prefix:C\nT:sword:2:2:good:1:1 to 9\nN:4:prefix:D\nT:sword:3:3:good:1:1 to 9\nN:5:prefix:E",
        ].join("\n"),
        egoThemes: `N:1:prefix:T\nT:sword:0:9:1 to 9\nA:A:1\nA:B:1\nA:C:3\nA:D:2\nA:E:${weight}\n`,
      });
      return warned(all, 'no object can get the theme "T", because ');
    };
    // 8·4²/128 is one half-percent
    expect(warning(121)).toBeUndefined();
    expect(warning(122)).toContain("at most 4 of 129");
  });

  test("artifacts, by every two Q lines", () => {
    fc.assert(
      fc.property(files, (all) => {
        for (const artifact of all.artifacts) {
          const kind = all.kinds.find(({ tval, sval }) => tval === artifact.tval && sval === artifact.sval);
          const required = artifact.requires.flatMap((n) => all.affixes.filter(({ number }) => number === n));
          const absent = required.find((one) => kind !== undefined && !comes(all, one, kind));
          const rival = required.find((a) => required.some((b) => a !== b && excludeEachOther(a, b)));
          const said = warned(all, `the artifact "${artifact.name}" is never made, because `);
          if (kind === undefined) expect(said).toContain(`${artifact.sval}"`);
          else if (absent !== undefined) expect(said).toContain(`"Q:${absent.name}", expected an affix`);
          else if (rival !== undefined) expect(said).toContain(`"Q:${rival.name}", expected affixes`);
          else expect(said).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});
