import { didYouMean } from "../../../errors/index.js";
import type { EditFile } from "../../../formats/read/editFile.js";
import type { FlagSpec, RandomFlags } from "../../types.js";
import { flagsOf } from "../flags.js";
import {
  anyField,
  integer,
  type LineRule,
  type LineRules,
  lines,
  oneField,
  readLines,
  reportExcess,
  reportStray,
  restOf,
  unusedLines,
  wholeLine,
  wholeLines,
} from "../lines.js";
import { type FileReport, type Read, reportAt, reportUnknown } from "../report.js";

/** A file of slays, brands or curses. Lines of other files refer to its records by their codes. */
export interface CodeSort {
  readonly what: "slay" | "brand" | "curse";
  readonly prefix: string;
  readonly type: string;
  readonly head: "code" | "name";
  readonly unused: readonly string[];
  readonly why: string;
}

const FIGHTING = {
  unused: "o-multiplier power verb melee-verb range-verb race-flag base resist-flag vuln-flag".split(" "),
  why: "They only affect fights, and Rollmill only makes objects",
};
const CURSE_LINES =
  "type weight combat effect effect-yx dice expr time flags values msg desc conflict conflict-flags".split(" ");

export const SLAYS: CodeSort = { what: "slay", prefix: "SLAY_", type: "SLAY", head: "code", ...FIGHTING };
export const BRANDS: CodeSort = { what: "brand", prefix: "BRAND_", type: "BRAND", head: "code", ...FIGHTING };
export const CURSES: CodeSort = {
  what: "curse",
  prefix: "CURSE_",
  type: "CURSE",
  head: "name",
  unused: CURSE_LINES,
  why: "Rollmill adds no random curses, and a curse of an object is only a flag",
};

/** Returns the flag of a code: `anti-teleportation` becomes `CURSE_ANTI_TELEPORTATION`. */
function flagOf({ prefix }: CodeSort, code: string): string {
  return prefix + code.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

export function parseCodes(report: FileReport, file: EditFile, sort: CodeSort): readonly FlagSpec[] {
  reportStray(report, file.before, `a line "${sort.head}:…"`);
  reportExcess(report, file);
  const rules = { ...unusedLines(sort.unused, sort.why), ...(sort.head === "code" ? MEANING : {}) };
  const flags = new Map<string, FlagSpec>();
  for (const { head, lines: own } of file.records) {
    const draft: Meaning = { name: "", multiplier: undefined };
    readLines(report, own, rules, draft);
    const code = restOf(head);
    const name = flagOf(sort, code.text);
    const isNew = code.text !== "" && !flags.has(name);
    if (isNew) flags.set(name, { name, type: sort.type, ...meaningOf(sort, draft) });
    else {
      reportAt({ report, line: head.line }, code, code.text === "" ? "object.line" : "object.duplicate", {
        problem: code.text === "" ? `the ${sort.what} has no code` : `two records of ${sort.what}.txt have this code`,
        expected: "a different code for each record",
        remedy: "Write a code that no other record has",
      });
    }
  }
  return [...flags.values()];
}

type Meaning = { name: string; multiplier: number | undefined };

const MEANING: LineRules<Meaning> = {
  name: wholeLine("name:name", anyField, (draft, { text }) => {
    draft.name = text;
  }),
  multiplier: oneField("multiplier:number", "multiplier", integer("the multiplier", 0, 255)),
};

function meaningOf({ what }: CodeSort, { name, multiplier }: Meaning): Pick<FlagSpec, "meaning"> {
  if (multiplier === undefined || name === "") return {};
  return { meaning: `×${multiplier} damage ${what === "slay" ? "against" : "by"} ${name}` };
}

/** Returns a flag for each code that the texts use. Needed if the file that defines the codes is missing. */
export function codesIn(texts: readonly string[], sort: CodeSort): readonly FlagSpec[] {
  const lines = new RegExp(`^[ \\t]*${sort.what}[ \\t]*:[ \\t]*([^:\\r\\n]*)`, "gm");
  const names = texts.flatMap((text) => [...text.matchAll(lines)].map(([, code]) => flagOf(sort, code.trim())));
  return [...new Set(names)].map((name) => ({ name, type: sort.type }));
}

/** Returns rules for lines that use codes. A curse with the power 0 is skipped. Other powers have no effect. */
export function codeRules(specs: readonly FlagSpec[]): LineRules<{ readonly flags: string[] }> {
  const known = new Set(specs.map(({ name }) => name));
  const codeOf =
    (sort: CodeSort): Read<string> =>
    (at, code) => {
      const name = flagOf(sort, code.text);
      if (known.has(name)) return name;
      return reportUnknown(at, code, {
        problem: `unknown ${sort.what}`,
        expected: `a code of ${sort.what}.txt`,
        ...didYouMean(name, known, `Add the ${sort.what} to ${sort.what}.txt`),
      });
    };
  const simple = (sort: CodeSort): LineRule<{ readonly flags: string[] }> =>
    wholeLines(`${sort.what}:code`, codeOf(sort), ({ flags }, name) => flags.push(name));
  const curse: LineRule<{ readonly flags: string[] }> = lines(
    "curse:name:power",
    [anyField, integer("the power", 0, 32_767)],
    ({ flags }, [field, power], at) => {
      if (power === 0) return;
      at.report.unused(at, "the powers of curses have no effect", "A curse of an object is only a flag");
      const name = codeOf(CURSES)(at, field);
      if (name !== undefined) flags.push(name);
    },
  );
  return { slay: simple(SLAYS), brand: simple(BRANDS), curse };
}

const STATS = "STR INT WIS DEX CON";
/** A random low resistance protects from one element of LOW, a random high resistance from one element of HIGH. */
const LOW = "ACID ELEC FIRE COLD";
const HIGH = "POIS LIGHT DARK SOUND SHARD NEXUS NETHER CHAOS DISEN";
const OTHER = "WATER ICE GRAVITY INERTIA FORCE TIME PLASMA METEOR MISSILE MANA HOLY_ORB ARROW";
const ELEMENTS = `${LOW} ${HIGH} ${OTHER}`;

/** The flags that every artifact has. They protect it from destruction by the elements of {@link LOW}. */
export const ARTIFACT_FLAGS: readonly string[] = /* @__PURE__ */ LOW.split(" ").map((element) => `IGNORE_${element}`);

/** The flags. Source: the game's code, as its data files lack them. No random property draws an `ORES` resistance. */
export const GAMEDATA_FLAGS: readonly FlagSpec[] = /* @__PURE__ */ flagsOf([
  ["STAT", "", STATS],
  ["PVAL", "", "STEALTH SEARCH INFRA TUNNEL SPEED BLOWS SHOTS MIGHT LIGHT DAM_RED MOVES"],
  ["SUST", "SUST_", STATS],
  ["PROT", "PROT_", "FEAR BLIND CONF STUN"],
  ["MISC", "", "SLOW_DIGEST FEATHER REGEN TELEPATHY SEE_INVIS FREE_ACT HOLD_LIFE TRAP_IMMUNE"],
  ["LRES", "RES_", LOW],
  ["HRES", "RES_", HIGH],
  ["ORES", "RES_", OTHER],
  ["IMM", "IM_", ELEMENTS],
  ["VULN", "VULN_", ELEMENTS],
  ["IGNORE", "IGNORE_", ELEMENTS],
  ["HATES", "HATES_", ELEMENTS],
  ["MELEE", "", "IMPACT BLESSED THROWING"],
  ["DIG", "DIG_", "1 2 3"],
  ["LIGHT", "", "BURNS_OUT TAKES_FUEL NO_FUEL LIGHT_2 LIGHT_3"],
  ["BAD", "", "IMPAIR_HP IMPAIR_MANA AFRAID NO_TELEPORT AGGRAVATE DRAIN_EXP STICKY FRAGILE EXPLODE"],
  ["INT", "", "GOOD INSTA_ART QUEST_ART EASY_KNOW SHOW_DICE SHOW_MULT SPELLS_OK MULTIPLY_WEIGHT"],
  ["INT", "SHOOTS_", "SHOTS ARROWS BOLTS"],
  ["INT", "RAND_", "HI_RES SUSTAIN POWER BASE_RES RES_POWER"],
]);

type RandomTypes = Pick<RandomFlags, "alternative"> & { readonly types: readonly string[] };

/**
 * Each of these flags gives an ego one random flag of its types. If an ego has several, the first in this list counts.
 */
export const RANDOM_PROPERTIES: Readonly<Record<string, readonly RandomTypes[]>> = {
  RAND_SUSTAIN: [{ types: ["SUST"] }],
  RAND_POWER: [{ types: ["PROT", "MISC"] }],
  RAND_RES_POWER: [
    { types: ["PROT", "MISC"], alternative: { first: 0, share: 1, of: 3 } },
    { types: ["LRES"], alternative: { first: 1, share: 2, of: 3 } },
  ],
  RAND_BASE_RES: [{ types: ["LRES"] }],
  RAND_HI_RES: [{ types: ["HRES"] }],
};
