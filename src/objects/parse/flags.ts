import type { EditField } from "../../formats/read/editFile.js";
import { splitFields } from "../../formats/read/editFile.js";
import { VALUED } from "../law/flagBits.js";
import type { FlagSpec } from "../types.js";
import { type FileReport, type Place, type Read, reportAt, reportUnknown } from "./report.js";

/** Returns flags. A row has a type, and the names of its flags without their common prefix. */
export function flagsOf(
  rows: readonly (readonly [type: string, prefix: string, names: string])[],
): readonly FlagSpec[] {
  return rows.flatMap(([type, prefix, names]) => names.split(" ").map((name) => ({ name: prefix + name, type })));
}

const STATS = "STR INT WIS DEX CON CHR";
const ELEMENTS = "ACID ELEC FIRE COLD";

/** The built-in flags, in the order of the flag list. */
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

/** If an `L` line names a flag that matches a pattern, all flags that match it get the type, which has values. */
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

/**
 * Maximum number of flags in a list. The kernel stores the number of a flag's bit in 16 bits, so a mask has at most
 * 2^16 bits. Flags of elements need the most bits. Ten elements share a word of 32 bits, so an element needs 3.2 bits.
 * An element has two or three flags, so a flag needs at most 1.6 bits. 32,767 flags therefore need less than 2^16 bits.
 */
export const MAX_FLAGS = 32_767;

/**
 * Maximum number of flags in all lists that {@link FlagTable.ofTypes} makes. Each combination of types has its own
 * list of up to {@link MAX_FLAGS} flags. A short file could otherwise need gigabytes.
 */
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
      const places = this.#byType.get(type);
      if (places === undefined) this.#byType.set(type, [i]);
      else places.push(i);
    }
  }

  /** Reads `FLAG | FLAG | …`, with or without a bar at the end. Reports and skips unknown flags. */
  list(kind: FlagKind): Read<readonly string[]> {
    return (at, field) => this.#list(at, field, "flag", { typeOf: (name) => this.#types.get(name), kind });
  }

  /**
   * Reads `TYPE | TYPE | …`. Returns all flags of these types, in the order of the flag list. Cost: O(types). The first
   * call for a combination of types also sorts their flags.
   */
  ofTypes(kind: FlagKind): Read<readonly string[]> {
    const typeOf = (type: string) => (this.#byType.has(type) ? type : undefined);
    return (at, field) => this.#flagsOf(at, field, [...this.#list(at, field, "type", { typeOf, kind })].sort());
  }

  #list(
    at: Place,
    field: EditField,
    what: "flag" | "type",
    { typeOf, kind }: { readonly typeOf: (name: string) => string | undefined; readonly kind: FlagKind },
  ): readonly string[] {
    const known = what === "flag" ? this.#types : this.#byType;
    const isSound = (part: EditField) => {
      if (at.report.isFull) return false;
      const type = typeOf(part.text);
      if (type === undefined) reportUnknownFlag(at, part, what, known.keys());
      else if (VALUED.includes(type) === (kind === "valued")) return true;
      else reportAt(at, part, "object.flag", wrongKind(kind, what));
      return false;
    };
    const parts = listOf(at, field, what === "flag" ? "a flag" : "a flag type");
    return [...new Set(parts.filter(isSound).map(({ text }) => text))];
  }

  /** Returns all flags of the types. Reports an error if all lists together are too long. */
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

function reportUnknownFlag(at: Place, part: EditField, what: "flag" | "type", known: Iterable<string>): void {
  reportUnknown(at, part, {
    code: "object.flag",
    problem: what === "flag" ? "unknown flag" : "no flag has this type",
    expected: `a ${what === "flag" ? "flag" : "flag type"} of the flag list`,
    known,
    remedy: what === "flag" ? 'Add the flag to flags.csv in the form "FLAG,TYPE"' : "Use a type of the flag list",
  });
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

function wrongKind(kind: FlagKind, what: "flag" | "type") {
  const subject = what === "flag" ? "this flag" : "flags of this type";
  const need = `${what === "flag" ? "needs" : "need"} a value`;
  const take = `${what === "flag" ? "takes" : "take"} no value`;
  return {
    problem: `${subject} ${kind === "valued" ? take : need}`,
    expected: kind === "valued" ? `the type ${VALUED.join(" or ")}` : `a type other than ${VALUED.join(" and ")}`,
    remedy: `Move the ${what} to a line for flags ${kind === "valued" ? "without" : "with"} a value`,
  };
}
