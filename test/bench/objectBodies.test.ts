import { describe, expect, test } from "vitest";
import type { ThemeSpec } from "../../src/objects/types.js";
import { applyAffix, applyTheme, type Draft, startKind } from "../oracle/objectApply.js";
import type { ObjectWords } from "../oracle/objectWords.js";
import { benchModule, type MadeColumns } from "./modules.js";

const { hasRealFiles, LEVEL, MOST_AFFIXES, NUMBERS, objectTexts } = await benchModule("inputs/objects");
const { objectLine, objectTables } = await benchModule("inputs/objectsTables");
const { objectSource } = await benchModule("ours");
const { jsObjects } = await benchModule("rivals/js/objects");
const { cRival, describeCompiler } = await benchModule("rivals/c");

const CALL = 16_384;
const CALLS = 8;
const BODY = ["ac", "dice", "sides", "weight"] as const;

const source = await objectSource(objectTexts());
const { files, bits } = source;
const tables = objectTables(source);
const compiler = (await describeCompiler()) !== null;

/** Words of an object whose rolls do not matter. */
const NO_WORDS = { roll: () => 0, below: () => 0 } as unknown as ObjectWords;

type Body = readonly number[];
const known = new Map<string, Body | undefined>();

const isCertain = ({ parts }: ThemeSpec) => parts.every(({ chance }) => chance === 100);

/** The twin's body of object k, and its flags unless chance decides them; undefined if chance decides all of it. */
function bodyOf(made: MadeColumns, k: number): Body | undefined {
  const numbers = made.affixes.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + made.affixCount[k]);
  const key = `${made.kind[k]} ${made.theme[k]} ${numbers}`;
  if (!known.has(key)) known.set(key, twinBody(made.kind[k], made.theme[k], numbers));
  return known.get(key);
}

function twinBody(kind: number, themeNumber: number, numbers: Uint16Array): Body | undefined {
  const theme = themeNumber === 0 ? undefined : files.themes[themeNumber - 1];
  if (theme !== undefined && !isCertain(theme)) return undefined;
  const asked = { index: 0, level: LEVEL, quality: "good" } as const;
  const draft: Draft = startKind(files, NO_WORDS, asked, files.kinds[kind]);
  for (const number of numbers) {
    const affix = files.affixes[number - 1];
    applyAffix(files, NO_WORDS, draft, { affix, depth: LEVEL });
    draft.affixes.push(affix);
  }
  const own = numbers.length;
  if (theme !== undefined) applyTheme(files, NO_WORDS, draft, { theme, depth: LEVEL });
  const brought = theme?.parts.flatMap(({ affix }) => files.affixes.filter(({ number }) => number === affix)) ?? [];
  const isRolled = [...draft.affixes.slice(0, own), ...brought].some(({ randomFlags }) => randomFlags.length > 0);
  const plain = [...draft.flags].filter((flag) => !bits.pvalNames.includes(flag));
  return [...BODY.map((field) => draft[field]), ...(isRolled ? [] : bits.mask(plain))];
}

/** Compares the objects of some calls one by one; returns how many followed from kind and affixes, flags included. */
async function compared(next: () => MadeColumns | Promise<MadeColumns>): Promise<number> {
  let exact = 0;
  for (let call = 0; call < CALLS; call++) {
    const made = await next();
    for (let k = 0; k < CALL; k++) {
      const wanted = made.artifact[k] > 0 ? undefined : bodyOf(made, k);
      if (wanted === undefined) continue;
      const flags = made.flags.subarray(k * bits.words, (k + 1) * bits.words);
      const got = [...BODY.map((field) => made[field][k]), ...flags];
      if (wanted.length === got.length) exact++;
      if (wanted.some((value, i) => value !== got[i])) expect(got.slice(0, wanted.length)).toEqual(wanted);
    }
  }
  return exact;
}

/** Columns of one call, by name. */
function columns(): MadeColumns {
  const signed = ["toHit", "toDam", "toAc"];
  const numbers = NUMBERS.map((name) => [name, signed.includes(name) ? new Int16Array(CALL) : new Uint16Array(CALL)]);
  return {
    ...Object.fromEntries(numbers),
    affixes: new Uint16Array(CALL * MOST_AFFIXES),
    depths: new Uint16Array(CALL * MOST_AFFIXES),
    flags: new Uint32Array(CALL * bits.words),
    pvals: new Int16Array(CALL * bits.pvalNames.length),
  };
}

// The check of a run compares means. Here every object has the armour, dice, sides, weight and flags of its kind and
// affixes, by the twin. The tests in test/objects compare Rollmill's own objects with the twin.
describe("the rivals at objects", () => {
  test.skipIf(!process.env.CI)("have the real files on CI", () => {
    expect(hasRealFiles, "../shared/data must be there on CI").toBe(true);
  });

  test("js: every object is what its kind and affixes make of it", async () => {
    const made = columns();
    const { make } = jsObjects(tables, made);
    const next = () => {
      make();
      return made;
    };
    expect(await compared(next)).toBeGreaterThan((CALL * CALLS) / 2);
  });

  test.skipIf(!compiler)("c: every object is what its kind and affixes make of it", async () => {
    const rival = await cRival("objects", objectLine(tables));
    if (rival === null) throw new Error("no compiler");
    const next = async () => {
      const made = columns();
      const numbers = await rival.sample(CALL);
      let at = 0;
      for (const column of Object.values<Uint16Array | Uint32Array>(made)) {
        column.set(numbers.slice(at, at + column.length));
        at += column.length;
      }
      return made;
    };
    expect(await compared(next)).toBeGreaterThan((CALL * CALLS) / 2);
  });
});
