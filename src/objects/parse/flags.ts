import { didYouMean } from "../../errors/index.js";
import { type EditField, splitFields } from "../../formats/read/editFile.js";
import type { FlagSpec } from "../types.js";
import { type FileReport, type Place, reportAt, reportUnknown } from "./report.js";

const STATS = ["STR", "INT", "WIS", "DEX", "CON", "CHR"];
const ELEMENTS = ["ACID", "ELEC", "FIRE", "COLD"];
const prefixed = (prefix: string, names: readonly string[]) => names.map((name) => prefix + name);

/** The built-in flags of each type, in the order of the flag list. */
const BUILT_IN: readonly (readonly [type: string, flags: readonly string[]])[] = [
  ["STAT", STATS],
  ["PVAL", ["SPEED", "STEALTH", "SEARCH", "INFRA", "TUNNEL", "BLOWS", "SHOTS", "MIGHT"]],
  [
    "SLAY",
    [
      ...prefixed("SLAY_", ["ORC", "TROLL", "GIANT", "ANIMAL", "EVIL", "UNDEAD", "DEMON", "DRAGON"]),
      ...prefixed("HURT_", ["UNDEAD", "DEMON"]),
    ],
  ],
  ["KILL", prefixed("KILL_", ["DRAGON", "DEMON", "UNDEAD"])],
  // FIZZ to ICKY are the weaker brands of the five elements before them
  ["BRAND", prefixed("BRAND_", [...ELEMENTS, "POIS", "FIZZ", "BUZZ", "WARM", "COOL", "ICKY"])],
  ["SUST", prefixed("SUST_", STATS)],
  ["VULN", prefixed("VULN_", ELEMENTS)],
  ["LRES", prefixed("RES_", ELEMENTS)],
  ["HRES", prefixed("RES_", ["POIS", "LIGHT", "DARK", "SOUND", "SHARD", "NEXUS", "NETHR", "CHAOS", "DISEN"])],
  ["IMM", prefixed("IM_", ELEMENTS)],
  ["PROT", prefixed("RES_", ["FEAR", "BLIND", "CONFU", "STUN"])],
  ["IGNORE", prefixed("IGNORE_", ELEMENTS)],
  ["HATES", prefixed("HATES_", ELEMENTS)],
  ["MISC", ["LIGHT", "REGEN", "FEATHER", "SEE_INVIS", "FREE_ACT", "HOLD_LIFE", "TELEPATHY", "SLOW_DIGEST"]],
  ["LIGHT", ["NO_FUEL"]],
  ["MELEE", ["BLESSED", "IMPACT"]],
  ["BAD", ["TELEPORT", "AGGRAVATE", "AFRAID", "DRAIN_EXP", "IMPAIR_HP", "IMPAIR_MANA"]],
  ["CURSE", prefixed("", ["LIGHT_CURSE", "HEAVY_CURSE", "PERMA_CURSE"])],
  ["INT", ["GOOD", "INSTA_ART", "EASY_KNOW", "SHOW_DICE", "SHOW_MODS", "SHOW_MULT", "SPELLS_OK"]],
];

export const FLAGS: readonly FlagSpec[] = /* @__PURE__ */ BUILT_IN.flatMap(([type, names]) =>
  names.map((name) => ({ name, type })),
);

/**
 * Each entry has a pattern of flag names, and a type whose flags have values. If an `L` line names a flag that matches
 * the pattern, all flags that match it get this type. Only in the last form of version 4.
 */
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

export const VALUED: readonly string[] = ["STAT", "PVAL", "VSLAY", "VBRAND"];

/**
 * Maximum number of flags in a list. The kernel stores the number of a flag's bit in 16 bits, so a mask has at most
 * 2^16 bits. Flags of elements need the most bits. Ten elements share a word of 32 bits, so an element needs 3.2 bits.
 * An element has two or three flags, so a flag needs at most 1.6 bits. 32,767 flags therefore need less than 2^16 bits.
 */
export const MAX_FLAGS = 32_767;

/**
 * Maximum number of flags in all lists that {@link FlagTable.readTypes} makes. Each combination of types has its own
 * list of up to {@link MAX_FLAGS} flags. A short file could otherwise need gigabytes.
 */
const MAX_LISTED = 2 ** 22;

type FlagKind = "valued" | "plain" | "any";

export class FlagTable {
  readonly specs: readonly FlagSpec[];
  readonly #types: ReadonlyMap<string, string>;
  /** For each type, the indices of its flags in {@link specs}. */
  readonly #byType = new Map<string, number[]>();
  /**
   * Maps each combination of types that a line names to the flags of these types. The key is the sorted types, joined
   * by commas. Lines that name the same types share one list.
   */
  readonly #ofTypes = new Map<string, readonly string[]>();
  #listed = 0;

  constructor(specs: readonly FlagSpec[]) {
    this.specs = specs;
    this.#types = new Map(specs.map(({ name, type }) => [name, type]));
    for (const [i, { type }] of specs.entries()) {
      const places = this.#byType.get(type);
      if (places === undefined) this.#byType.set(type, [i]);
      else places.push(i);
    }
  }

  /** Reads `FLAG | FLAG | …`, with or without a bar at the end. Reports and skips unknown flags. */
  readFlags(at: Place, field: EditField, kind: FlagKind): readonly string[] {
    const sound = listOf(at, field, "a flag").filter((name) => this.#isSound(at, name, kind));
    return [...new Set(sound.map(({ text }) => text))];
  }

  /**
   * Reads `TYPE | TYPE | …`. Returns all flags of these types, in the order of the flag list. Cost: O(types). The first
   * call for a combination of types also sorts their flags.
   */
  readTypes(at: Place, field: EditField, kind: "valued" | "plain"): readonly string[] {
    const known = this.#byType;
    const types = new Set<string>();
    for (const type of listOf(at, field, "a flag type")) {
      if (at.report.isFull) break;
      if (known.has(type.text) && VALUED.includes(type.text) === (kind === "valued")) types.add(type.text);
      else if (known.has(type.text)) reportAt(at, type, "object.flag", wrongKind(type.text, kind, "type"));
      else
        reportUnknown(at, type, {
          code: "object.flag",
          problem: "no flag has this type",
          describe: () => ({
            expected: "a flag type of the flag list",
            ...didYouMean(type.text, known.keys(), `Use one of ${[...known.keys()].join(", ")}`),
          }),
        });
    }
    return this.#flagsOf(at, field, [...types].sort());
  }

  /**
   * Returns all flags of the given types, in the order of the flag list. Reports an error if all lists together are too
   * long.
   */
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

  #isSound(at: Place, flag: EditField, kind: FlagKind): boolean {
    if (at.report.isFull) return false;
    const type = this.#types.get(flag.text);
    if (type === undefined) {
      reportUnknown(at, flag, {
        code: "object.flag",
        problem: "unknown flag",
        describe: () => ({
          expected: "a flag of the flag list",
          ...didYouMean(flag.text, this.#types.keys(), 'Add the flag to flags.csv in the form "FLAG,TYPE"'),
        }),
      });
      return false;
    }
    if (kind === "any" || VALUED.includes(type) === (kind === "valued")) return true;
    reportAt(at, flag, "object.flag", wrongKind(flag.text, kind, "flag"));
    return false;
  }
}

/**
 * Reads a list of flags: an optional header `flag,type`, then one flag per line, at most {@link MAX_FLAGS}. Returns
 * `builtIn` if `text` is undefined. Cost: O(characters).
 */
export function readFlagList(
  text: string | undefined,
  report: FileReport,
  builtIn: readonly FlagSpec[],
): readonly FlagSpec[] {
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
        got: name.text,
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

/** Splits a list at its bars, with or without a bar at the end. Reports and skips empty parts. */
function listOf(at: Place, field: EditField, what: string): readonly EditField[] {
  const parts = splitFields(field.text, "|", field.column);
  if (parts.length > 1 && parts.at(-1)?.text === "") parts.pop();
  return parts.filter((part) => {
    if (part.text !== "") return true;
    reportAt(at, part, "object.line", {
      problem: `${what} is missing`,
      got: field.text,
      expected: `${what}, or several with | between them`,
      remedy: 'Fill the gap, or remove the extra "|"',
    });
    return false;
  });
}

function wrongKind(got: string, kind: "valued" | "plain", what: "flag" | "type") {
  const ofType = what === "flag" ? "a flag of" : "";
  return kind === "valued"
    ? {
        problem: what === "flag" ? "this flag takes no value" : "flags of this type take no value",
        got,
        expected: `${ofType} the type ${VALUED.join(" or ")}`.trim(),
        remedy: `Move the ${what} to a line for flags without a value`,
      }
    : {
        problem: what === "flag" ? "this flag needs a value" : "flags of this type need a value",
        got,
        expected: `${ofType} a type other than ${VALUED.join(" and ")}`.trim(),
        remedy: `Move the ${what} to a line for flags with a value`,
      };
}
