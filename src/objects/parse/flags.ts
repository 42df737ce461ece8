import { didYouMean } from "../../errors/index.js";
import { type EditField, splitFields } from "../../formats/read/editFile.js";
import { VALUED } from "../law/flagBits.js";
import type { FlagSpec } from "../types.js";
import { type FileReport, type Place, type Read, reportAt, reportUnknown } from "./report.js";

/** Returns the flags of all rows. A row has a type, a prefix, and names of flags without this prefix. */
export function flagsOf(rows: readonly (readonly [type: string, prefix: string, names: string])[]) {
  return rows.flatMap(([type, prefix, names]) => names.split(" ").map((name) => ({ name: prefix + name, type })));
}

const STATS = "STR INT WIS DEX CON CHR";
const ELEMENTS = "ACID ELEC FIRE COLD";

export const FLAGS: readonly FlagSpec[] = /* @__PURE__ */ flagsOf([
  ["STAT", "", STATS],
  ["PVAL", "", "SPEED STEALTH SEARCH INFRA TUNNEL BLOWS SHOTS MIGHT"],
  ["SLAY", "SLAY_", "ORC TROLL GIANT ANIMAL EVIL UNDEAD DEMON DRAGON"],
  ["SLAY", "HURT_", "UNDEAD DEMON"],
  ["KILL", "KILL_", "DRAGON DEMON UNDEAD"],
  // FIZZ to ICKY are the weaker brands of the five elements before them
  ["BRAND", "BRAND_", `${ELEMENTS} POIS FIZZ BUZZ WARM COOL ICKY`],
  ["SUST", "SUST_", STATS],
  ["VULN", "VULN_", ELEMENTS],
  ["LRES", "RES_", ELEMENTS],
  ["HRES", "RES_", "POIS LIGHT DARK SOUND SHARD NEXUS NETHR CHAOS DISEN"],
  ["IMM", "IM_", ELEMENTS],
  ["PROT", "RES_", "FEAR BLIND CONFU STUN"],
  ["IGNORE", "IGNORE_", ELEMENTS],
  ["HATES", "HATES_", ELEMENTS],
  ["MISC", "", "LIGHT REGEN FEATHER SEE_INVIS FREE_ACT HOLD_LIFE TELEPATHY SLOW_DIGEST"],
  ["LIGHT", "", "NO_FUEL"],
  ["MELEE", "", "BLESSED IMPACT"],
  ["BAD", "", "TELEPORT AGGRAVATE AFRAID DRAIN_EXP IMPAIR_HP IMPAIR_MANA"],
  ["CURSE", "", "LIGHT_CURSE HEAVY_CURSE PERMA_CURSE"],
  ["INT", "", "GOOD INSTA_ART EASY_KNOW SHOW_DICE SHOW_MODS SHOW_MULT SPELLS_OK"],
]);

/** Patterns of flags, and their type if an `L` line names at least one flag of the pattern. Such flags have values. */
const LAST_VALUED: readonly (readonly [names: string, type: string])[] = [
  ["SLAY_\\w+", "VSLAY"],
  ["BRAND_\\w+", "VBRAND"],
  ["LIGHT", "PVAL"],
];

/** Returns the built-in flags of the last form of version 4. In this form, slays, brands and light can have a value. */
export function lastFlags(texts: readonly string[]): readonly FlagSpec[] {
  const valued = LAST_VALUED.filter(([names]) => {
    const lines = new RegExp(`^[ \\t]*L:[^\\n]*\\b${names}\\b`, "m");
    return texts.some((text) => lines.test(text));
  });
  return FLAGS.map(({ name, type }) => {
    return { name, type: valued.find(([names]) => new RegExp(`^${names}$`).test(name))?.[1] ?? type };
  });
}

/** Maximum number of flags, for masks of at most 2^16 bits. In the worst case, 20 flags of 10 elements take 32 bits. */
export const MAX_FLAGS = 32_767;

/** Maximum length of all lists of flags together: each combination of types in R and Z lines has a list of its own. */
const MAX_LISTED = 2 ** 22;

type FlagKind = "valued" | "plain";

export class FlagTable {
  readonly specs: readonly FlagSpec[];
  readonly #types: ReadonlyMap<string, string>;
  /** For each type, the indices of its flags in {@link specs}. */
  readonly #byType = new Map<string, number[]>();
  /** Lines that name the same types share one list. The key is the sorted types, joined by commas. */
  readonly #ofTypes = new Map<string, readonly string[]>();
  #listed = 0;

  constructor(specs: readonly FlagSpec[]) {
    this.specs = specs;
    this.#types = new Map(specs.map(({ name, type }) => [name, type]));
    for (const [i, { type }] of specs.entries()) {
      const places = this.#byType.get(type) ?? [];
      places.push(i);
      this.#byType.set(type, places);
    }
  }

  /** Reads `FLAG | FLAG | …`, with or without a bar at the end. Reports and skips unknown flags. */
  list(kind: FlagKind): Read<readonly string[]> {
    return (at, field) => listOf(at, field, this.#types, "flag", kind);
  }

  /** Reads `TYPE | TYPE | …`. Returns all flags of these types, in the order of the flag list. */
  ofTypes(kind: FlagKind): Read<readonly string[]> {
    const types = new Map([...this.#byType.keys()].map((type) => [type, type]));
    return (at, field) => this.#flagsOf(at, field, listOf(at, field, types, "type", kind).sort());
  }

  #flagsOf(at: Place, field: EditField, types: readonly string[]): readonly string[] {
    const key = types.join();
    const known = this.#ofTypes.get(key);
    if (known !== undefined) return known;
    this.#listed += types.reduce((sum, type) => sum + (this.#byType.get(type)?.length ?? 0), 0);
    if (this.#listed > MAX_LISTED) {
      reportAt(at, field, "object.files", {
        problem: "the combinations of flag types in the R and Z lines have too many flags",
        got: this.#listed,
        expected: `at most ${MAX_LISTED} flags`,
        remedy: "Name the same combinations of types in several lines",
      });
      return [];
    }
    const places = types.flatMap((type) => this.#byType.get(type) ?? []).sort((a, b) => a - b);
    const flags = places.map((place) => this.specs[place].name);
    this.#ofTypes.set(key, flags);
    return flags;
  }
}

export function readFlagList(text: string | undefined, report: FileReport, builtIn: readonly FlagSpec[]) {
  if (text === undefined) return builtIn;
  const specs = new Map<string, string>();
  let excess: { readonly at: Place; readonly name: EditField } | undefined;
  const rows = text.replace(/^\ufeff/, "").split("\n");
  for (const [i, row] of rows.entries()) {
    const at: Place = { report, line: i + 1 };
    const cells = splitFields(row, ",", 1);
    if (row.trim() === "" || row.startsWith("#") || (specs.size === 0 && row.trim() === "flag,type")) continue;
    const [name, type] = cells;
    const flaw = cells.find((cell) => !/^[A-Z][A-Z0-9_]*$/.test(cell.text)) ?? cells[2];
    if (flaw !== undefined || cells.length !== 2) {
      reportAt(at, flaw ?? name, "object.line", {
        problem: "the line is not a flag and its type",
        got: row.trim(),
        expected: "a flag and its type with a comma between them, both in capital letters, digits and _",
        remedy: 'Write one flag per line, such as "RES_FIRE,LRES"',
      });
    } else if (specs.has(name.text)) {
      reportAt(at, name, "object.duplicate", {
        problem: "this flag is listed twice",
        expected: "each flag once",
        remedy: "Remove one of the lines",
      });
    } else {
      if (specs.size === MAX_FLAGS) excess = { at, name };
      specs.set(name.text, type.text);
    }
  }
  if (excess !== undefined) {
    reportAt(excess.at, excess.name, "object.files", {
      problem: "the file has too many flags",
      got: specs.size,
      expected: `at most ${MAX_FLAGS} flags`,
      remedy: "Remove this flag and the flags after it",
    });
  }
  return [...specs].map(([name, type]) => ({ name, type }));
}

/** Reads a list with bars between names. `types` has the type of each known name. Reports and skips other parts. */
function listOf(
  at: Place,
  field: EditField,
  types: ReadonlyMap<string, string>,
  what: "flag" | "type",
  kind: FlagKind,
) {
  const isFlag = what === "flag";
  const one = isFlag ? "a flag" : "a flag type";
  const parts = splitFields(field.text, "|", field.column);
  if (parts.length > 1 && parts.at(-1)?.text === "") parts.pop();
  const isSound = (part: EditField): boolean => {
    const type = types.get(part.text);
    if (at.report.isFull) return false;
    if (part.text === "") {
      reportAt(at, part, "object.line", {
        problem: `${one} is missing`,
        got: field.text,
        expected: `${one}, or several with "|" between them`,
        remedy: 'Fill the gap, or remove the extra "|"',
      });
    } else if (type === undefined) {
      const remedy = isFlag ? 'Add the flag to flags.csv in the form "FLAG,TYPE"' : "Use a type of the flag list";
      const finding = {
        problem: isFlag ? "unknown flag" : "no flag has this type",
        expected: `${one} of the flag list`,
        ...didYouMean(part.text, types.keys(), remedy),
      };
      reportUnknown(at, part, finding, "object.flag");
    } else if (VALUED.includes(type) === (kind === "valued")) return true;
    else reportAt(at, part, "object.flag", wrongKind(kind, isFlag));
    return false;
  };
  return [...new Set(parts.filter(isSound).map(({ text }) => text))];
}

function wrongKind(kind: FlagKind, isFlag: boolean) {
  const isValued = kind === "valued";
  const [needs, takes] = isFlag
    ? ["this flag needs", "this flag takes"]
    : ["flags of this type need", "flags of this type take"];
  return {
    problem: isValued ? `${takes} no value` : `${needs} a value`,
    expected: isValued ? `the type ${VALUED.join(" or ")}` : `a type other than ${VALUED.join(" and ")}`,
    remedy: `Move the ${isFlag ? "flag" : "type"} to a line for flags ${isValued ? "without" : "with"} a value`,
  };
}
