import { type EditField, splitFields } from "../../../formats/read/editFile.js";
import type { ItemSpec, PvalSpec, RandomValue } from "../../types.js";
import type { FlagTable } from "../flags.js";
import type { Powers } from "../items.js";
import { armourClass, type Draft, dice, integer, type LineRule, line, readRandomValue, wholeLines } from "../lines.js";
import { type Place, type Read, reportAt } from "../report.js";

// Lines of Angband 4.2's gamedata files. The type of such a line is a word: `name:of Flame`.

/** Reads a random value. Accepts `m` instead of `M` before the bonus. */
/* @__NO_SIDE_EFFECTS__ */
export function gamedataValue(what: string): Read<RandomValue> {
  return (at, { text, column }) => readRandomValue(at, { text: text.replaceAll("m", "M"), column }, what);
}

export function fightRules<T>(value: (what: string) => Read<T>) {
  const attack: LineRule<Powers<T>> = line(
    "attack:dice:to-hit:to-dam",
    [dice, value("to-hit"), value("to-dam")],
    (draft, [own, toHit, toDam]) => Object.assign(draft, { ...own, toHit, toDam }),
  );
  const armor: LineRule<Powers<T>> = line("armor:ac:to-ac", [armourClass, value("to-ac")], (draft, [ac, toAc]) =>
    Object.assign(draft, { ac, toAc }),
  );
  return { attack, armor };
}

const pvalAmount = gamedataValue("the value");

/** A minus at the start belongs only to the base: `-3+1d2` is −2 or −1. The game ignores a minus without a base. */
const flagValue: Read<RandomValue> = (at, field) => {
  const { text, column } = field;
  const [, digits, more] = /^-(\d+)(?:\+(.+))?$/.exec(text) ?? [];
  if (digits !== undefined) {
    const rest = pvalAmount(at, { text: more ?? "0", column });
    const base = integer("the value", -32_767, 0)(at, { text: `-${digits}`, column });
    return rest && base !== undefined ? { ...rest, base: base + rest.base } : undefined;
  }
  if (!text.startsWith("-")) return pvalAmount(at, field);
  return reportAt(at, field, "object.number", {
    problem: "no number follows the minus of a value",
    expected: "a value such as -5+1d4",
    remedy: "Write the least value, then the dice",
  });
};

interface Pair {
  readonly name: EditField;
  readonly value: EditField;
}

/** Reads `name[value] | name[value]`, with or without a bar at the end. Reports and skips malformed pairs. */
function readPairs(at: Place, { text, column }: EditField): readonly Pair[] {
  const parts = splitFields(text, "|", column).filter((part) => part.text !== "");
  return parts.flatMap((part): readonly Pair[] => {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)\[([^[\]]*)\]$/.exec(part.text) ?? [];
    if (name !== undefined && value !== undefined) {
      const at = part.column + name.length + 1;
      return [{ name: { text: name, column: part.column }, value: { text: value, column: at } }];
    }
    reportAt(at, part, "object.line", {
      problem: "invalid value of a flag",
      expected: "a flag and its value, such as STR[2]",
      remedy: "Write the value in brackets after the flag, and | between two flags",
    });
    return [];
  });
}

/** A resistance of this level is an immunity. Level 0 has no effect, and −1 is a vulnerability. */
const IMMUNE = 3;

export function valueLines(flags: FlagTable): LineRule<Pick<Draft<ItemSpec>, "flags" | "pvals">> {
  const plain = flags.list("plain");
  const valued = flags.list("valued");
  const level = integer("the level of the resistance", -1, IMMUNE);
  return wholeLines<{ flags: string[]; pvals: PvalSpec[] }, readonly Pair[]>(
    "values:flag[value] | flag[value]",
    readPairs,
    (draft, pairs, at) => {
      for (const { name, value } of pairs) {
        const [, element] = /^RES_(.*)$/.exec(name.text) ?? [];
        if (element === undefined) {
          const rolled = flagValue(at, value);
          const names = valued(at, name) ?? [];
          if (rolled !== undefined && names.length > 0)
            draft.pvals.push({ value: rolled, least: undefined, flags: names });
          continue;
        }
        const own = level(at, value) ?? 0;
        const prefix = own === IMMUNE ? "IM_" : own > 0 ? "RES_" : "VULN_";
        const known = plain(at, { text: prefix + element, column: name.column }) ?? [];
        if (own !== 0) draft.flags.push(...known);
      }
    },
  );
}

export function leastLines(flags: FlagTable): LineRule<{ readonly leasts: Map<string, number> }> {
  const minimum = integer("the minimum", -255, 255);
  const valued = flags.list("valued");
  return wholeLines<{ readonly leasts: Map<string, number> }, readonly Pair[]>(
    "min-values:flag[minimum] | flag[minimum]",
    readPairs,
    ({ leasts }, pairs, at) => {
      for (const { name, value } of pairs) {
        const least = minimum(at, value);
        const [known] = valued(at, name) ?? [];
        if (least !== undefined && known !== undefined) leasts.set(known, least);
      }
    },
  );
}

/** They may be empty. */
export function flagLines<D>(type: string, flags: FlagTable, keep: (draft: D, names: readonly string[]) => void) {
  const list = flags.list("plain");
  const read: Read<readonly string[]> = (at, field) => (field.text === "" ? [] : list(at, field));
  return wholeLines(`${type}:flag | flag`, read, keep);
}

export function ownFlagLines(flags: FlagTable): LineRule<{ readonly flags: string[] }> {
  return flagLines("flags", flags, (draft, names) => draft.flags.push(...names));
}
