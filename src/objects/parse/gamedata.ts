import { type EditField, type EditFile, readEditFile, splitFields } from "../../formats/read/editFile.js";
import { CONSTANTS } from "../law/constants.js";
import { NO_TYPE } from "../law/tvals.js";
import type {
  AffixSpec,
  AffixTarget,
  FlagSpec,
  ItemSpec,
  KindSpec,
  ObjectFiles,
  ObjectTexts,
  PvalSpec,
  RandomFlags,
  RandomValue,
  TypeSpec,
} from "../types.js";
import { blankAffix, minimumLine, targetCounter } from "./affixes.js";
import { type BaseDraft, type BaseHead, readBases, reportDefault } from "./bases.js";
import { FlagTable, MAX_FLAGS, readFlagList } from "./flags.js";
import {
  ARTIFACT_FLAGS,
  BRANDS,
  type CodeSort,
  CURSES,
  codeRules,
  codesIn,
  GAMEDATA_FLAGS,
  parseCodes,
  RANDOM_PROPERTIES,
  SLAYS,
} from "./gamedata/codes.js";
import {
  type ArtifactDraft,
  ArtifactKinds,
  allocationLine,
  blankArtifact,
  blankKind,
  completeKinds,
  type ItemContext,
  type KindDraft,
  type Powers,
} from "./items.js";
import {
  amount,
  anyField,
  armourClass,
  breakage,
  cost,
  type Draft,
  depths,
  descriptionLines,
  dice,
  type Head,
  integer,
  keptLines,
  type LineRule,
  type LineRules,
  level,
  line,
  lines,
  MAX_SVAL,
  NO_VALUE,
  oneField,
  placeOf,
  readNames,
  readRandomValue,
  readRecords,
  restOf,
  type TypeTable,
  unusedLines,
  weight,
  wholeLine,
  wholeLines,
} from "./lines.js";
import { KindNames, readNoun } from "./names.js";
import { type FileReport, type LineAt, type Place, type Read, reportAt } from "./report.js";

export interface ParseInput {
  readonly texts: ObjectTexts;
  readonly files: Readonly<Record<keyof ObjectTexts, EditFile>>;
  readonly reports: Readonly<Record<keyof ObjectTexts, FileReport>>;
}

/** Each ego becomes an affix. Source: the descriptions of the format at the start of the game's own files. */
export function parseGamedata(input: ParseInput): ObjectFiles {
  const { files, reports } = input;
  const flags = new FlagTable(readFlags(input));
  const { bases, types } = parseGamedataBases(reports.objectBase, files.objectBase, flags);
  const context = { flags, types, bases, codes: codeRules(flags.specs) };
  const ordinary = { ...context, kinds: parseGamedataKinds(reports.object, files.object, context) };
  const affixes = parseEgos(reports.egoItem, files.egoItem, ordinary);
  const { artifacts, kinds } = parseGamedataArtifacts(reports.artifact, files.artifact, ordinary);
  const shared = { levels: [...POWERS], flags: flags.specs, types: types.specs, bases };
  return { rules: "4.2", constants: CONSTANTS, ...shared, kinds, affixes, themes: [], artifacts };
}

function readFlags({ texts, reports }: ParseInput): readonly FlagSpec[] {
  const specs = new Map(readFlagList(texts.flags, reports.flags, GAMEDATA_FLAGS).map((flag) => [flag.name, flag]));
  const codesOf = (sort: CodeSort) => {
    const text = texts[sort.what];
    if (text === undefined) return codesIn([texts.object, texts.egoItem, texts.artifact], sort);
    return parseCodes(reports[sort.what], readEditFile(text, sort.head), sort);
  };
  for (const sort of [SLAYS, BRANDS, CURSES]) {
    for (const flag of codesOf(sort)) specs.set(flag.name, specs.get(flag.name) ?? flag);
  }
  if (specs.size > MAX_FLAGS) {
    const place = { line: 1, column: 1 };
    reports.flags.add("object.files", place, {
      problem: "the files have too many flags, slays, brands and curses",
      got: specs.size,
      expected: `at most ${MAX_FLAGS}`,
      remedy: "Remove some of them",
    });
  }
  return [...specs.values()].slice(0, MAX_FLAGS);
}

interface GamedataContext extends ItemContext {
  readonly codes: LineRules<{ readonly flags: string[] }>;
}

const TEXTS = ["graphics", "desc", "msg", "vis-msg", "effect", "effect-yx", "dice", "expr", "time", "act", "power"];

type Shared = Pick<Draft<ItemSpec>, "level" | "weight" | "cost" | "flags" | "pvals" | "text">;

function itemRules({ flags, codes }: Pick<GamedataContext, "flags" | "codes">): LineRules<Shared> {
  return {
    level: oneField("level:number", "level", level),
    weight: oneField("weight:number", "weight", weight),
    cost: oneField("cost:number", "cost", cost),
    flags: ownFlagLines(flags),
    values: valueLines(flags),
    ...codes,
    ...keptLines(TEXTS),
  };
}

/** A kind's number is its position in the file. Its sval is its position within its type. Both begin at 1. */
function parseGamedataKinds(report: FileReport, file: EditFile, context: GamedataContext): readonly KindSpec[] {
  const rules: LineRules<KindDraft> = {
    type: typeLine(context.types),
    ...fightRules(gamedataValue),
    alloc: allocationLine("alloc"),
    ...itemRules(context),
    ...unusedLines(["charges"], "Rollmill rolls no charges"),
    ...unusedLines(["pile"], STACKING),
    ...unusedLines(["pval"], "Rollmill rolls no food values, no fuel and no multipliers of launchers"),
  };
  return completeKinds(
    report,
    readRecords(report, readNames(report, file, readNoun), rules, blankKind, "type"),
    context,
  );
}

function typeLine(types: TypeTable): LineRule<KindDraft> {
  const counts = new Map<number, number>();
  const readType: Read<TypeSpec> = (at, word) => (word.text === NO_TYPE.word ? NO_TYPE : types.word(at, word));
  return wholeLine("type:word", readType, (draft, type, at) => {
    if (type === NO_TYPE) return;
    const sval = (counts.get(type.tval) ?? 0) + 1;
    counts.set(type.tval, sval);
    if (sval <= MAX_SVAL) Object.assign(draft, { type, tval: type.tval, sval });
    else {
      reportAt(at, { text: type.word, column: at.fields[0].column }, "object.files", {
        problem: "too many kinds have this type",
        expected: `at most ${MAX_SVAL} kinds of a type`,
        remedy: "Divide the kinds between two types",
      });
    }
  });
}

/** An artifact's number is its position in the file. If its kind is missing, a kind with the flag INSTA_ART is made. */
function parseGamedataArtifacts(report: FileReport, file: EditFile, context: EgoContext) {
  const made = new ArtifactKinds(context.kinds, context);
  const known = new Set(context.flags.specs.map(({ name }) => name));
  const shared = ARTIFACT_FLAGS.filter((name) => known.has(name));
  const rules: LineRules<ArtifactDraft> = {
    "base-object": line(
      "base-object:word of a type:name of a kind",
      [context.types.word, anyField],
      (draft, [type, name], at) =>
        Object.assign(draft, { tval: type.tval, sval: made.svalOf(at, name, type, draft.place) }),
    ),
    alloc: line(
      "alloc:chance %:min to max",
      [integer("the chance %", 0, 100), depths],
      ({ allocations }, [probability, range]) => allocations.push({ ...range, probability }),
    ),
    ...fightRules(amount),
    ...itemRules(context),
  };
  const drafts = [...readRecords(report, readNames(report, file), rules, blankArtifact, "base-object")];
  const artifacts = drafts.map((draft) => ({ ...draft, flags: [...new Set([...draft.flags, ...shared])] }));
  return { artifacts, kinds: [...context.kinds, ...made.made] };
}

/** The affix levels (powers in the game). Only objects of the last level get an ego. Source: the game's apply_magic. */
const POWERS: readonly string[] = ["average", "good", "great"];
const GREAT = 2;

type Ego = Draft<Pick<AffixSpec, "toHit" | "toDam" | "toAc" | "least" | "flags" | "removes" | "pvals">> & {
  allocation: KindSpec["allocation"];
  readonly leasts: Map<string, number>;
  readonly sorts: Pick<AffixTarget, "place" | "tval" | "leastSval" | "mostSval">[];
  readonly description: string[];
};

type EgoContext = GamedataContext & { readonly kinds: readonly KindSpec[] };

function parseEgos(report: FileReport, file: EditFile, context: EgoContext): readonly AffixSpec[] {
  const blank = (): Ego => ({ ...blankAffix(), allocation: undefined, leasts: new Map(), sorts: [] });
  const drafts = [...readRecords(report, readNames(report, file), egoRules(report, context), blank)];
  return drafts.map((draft) => egoOf(draft, context.flags));
}

function egoRules(report: FileReport, { flags, types, codes, kinds }: EgoContext): LineRules<Ego> {
  const names = new KindNames(kinds);
  const add = targetCounter(report, '"type" and "item" lines');
  return {
    alloc: allocationLine("alloc"),
    type: lines("type:word", [types.word], ({ sorts }, [{ tval }], at) =>
      add(sorts, { place: placeOf(at), tval, leastSval: 0, mostSval: MAX_SVAL }, at),
    ),
    item: lines("item:word of a type:name of a kind", [types.word, anyField], ({ sorts }, [type, name], at) => {
      const sval = names.read(at, name, type);
      if (sval === undefined) return;
      add(sorts, { place: placeOf(at), tval: type.tval, leastSval: sval, mostSval: sval }, at);
    }),
    combat: line(
      "combat:to-hit:to-dam:to-ac",
      [gamedataValue("to-hit"), gamedataValue("to-dam"), gamedataValue("to-ac")],
      (draft, [toHit, toDam, toAc]) => Object.assign(draft, { toHit, toDam, toAc }),
    ),
    "min-combat": minimumLine("min-combat"),
    flags: ownFlagLines(flags),
    "flags-off": flagLines("flags-off", flags, ({ removes }, off) => removes.push(...off)),
    values: valueLines(flags),
    "min-values": leastLines(flags),
    ...codes,
    desc: descriptionLines("desc"),
    ...unusedLines(["info"], "Rollmill computes no costs and no level feelings"),
    ...unusedLines(["act", "time"], "Rollmill gives objects no activations"),
  };
}

function egoOf(draft: Ego & Head, table: FlagTable): AffixSpec {
  const { number, name, place, toHit, toDam, toAc, least, allocation, sorts, leasts, pvals } = draft;
  const flags = new Set(draft.flags);
  const valued = new Set(pvals.flatMap((pval) => pval.flags));
  const others = [...leasts.keys()].filter((flag) => !valued.has(flag));
  const targets = sorts.flatMap((sort): AffixTarget[] => {
    if (allocation === undefined) return [];
    const { least: usual, most, commonness } = allocation;
    return [{ ...sort, level: GREAT, probability: commonness, least: 0, most, usual }];
  });
  return {
    number,
    kind: "suffix",
    name,
    place,
    ...blankAffix(),
    toHit,
    toDam,
    toAc,
    least,
    flags: [...flags].filter((flag) => !Object.hasOwn(RANDOM_PROPERTIES, flag)),
    removes: [...new Set(draft.removes)],
    pvals: [
      ...pvals.map((pval) => ({ ...pval, least: leasts.get(pval.flags[0]) })),
      ...others.map((flag) => ({ value: NO_VALUE, least: leasts.get(flag), flags: [flag] })),
    ],
    randomFlags: randomFlagsOf(flags, table),
    targets,
    description: draft.description.join(" "),
  };
}

function randomFlagsOf(own: ReadonlySet<string>, { specs }: FlagTable): readonly RandomFlags[] {
  const [, alternatives = []] = Object.entries(RANDOM_PROPERTIES).find(([flag]) => own.has(flag)) ?? [];
  return alternatives.map(({ types, ...more }) => {
    const flags = specs.filter(({ type }) => types.includes(type)).map(({ name }) => name);
    return { count: 1, flags, ...more };
  });
}

const STACKING = "Rollmill makes single objects, not piles of equal objects";

/** Reads object_base.txt of Angband 4.2. `default:break-chance:number` is for records without a `break` line. */
function parseGamedataBases(report: FileReport, file: EditFile, flags: FlagTable) {
  const rule: LineRule<{ breakage: number }> = lines(
    "default:break-chance:number",
    [anyField, anyField],
    (draft, [what, value], at) => {
      if (what.text === "break-chance") draft.breakage = breakage(at, value) ?? 0;
      else if (what.text === "max-stack") at.report.unused(at, "the default max-stack has no effect", STACKING);
      else reportDefault(at, what, "break-chance or max-stack");
    },
  );
  const rules: LineRules<BaseDraft> = {
    break: oneField("break:chance", "breakage", breakage),
    flags: ownFlagLines(flags),
    ...unusedLines(["graphics"], "They only affect the screen"),
    ...unusedLines(["max-stack"], STACKING),
  };
  return readBases(report, file, { defaults: { default: rule }, head: readGamedataHead, rules });
}

function readGamedataHead(at: LineAt): BaseHead | undefined {
  const [word, noun] = at.fields;
  // gold has no noun
  const name = noun === undefined ? "" : readNoun(at, noun);
  if (name === undefined) return undefined;
  const isWord = /^\p{Letter}[\p{Letter} -]{0,79}$/u.test(word.text);
  if (isWord && at.fields.length <= 2) return { word: word.text, name, place: placeOf(at) };
  return reportAt(at, word, "object.line", {
    problem: "invalid type of objects",
    got: restOf(at).text,
    expected: "a word of letters, then a noun, such as name:sword:Sword~",
    remedy: "Write the word of the type, a colon and the noun",
  });
}

/** Reads a random value. Accepts `m` instead of `M` before the bonus. */
/* @__NO_SIDE_EFFECTS__ */
function gamedataValue(what: string): Read<RandomValue> {
  return (at, { text, column }) => readRandomValue(at, { text: text.replaceAll("m", "M"), column }, what);
}

function fightRules<T>(value: (what: string) => Read<T>) {
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

/** A minus negates only the base: `-3+1d2` is −2 or −1. Without a base it is refused, because the game ignores it. */
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
    problem: "the value has a minus, but no base after the minus",
    expected: "a value such as -5+1d4",
    remedy: "Write the base after the minus, then the dice",
  });
};

type Pair = { readonly name: EditField; readonly value: EditField };

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

function valueLines(flags: FlagTable): LineRule<Pick<Draft<ItemSpec>, "flags" | "pvals">> {
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

function leastLines(flags: FlagTable): LineRule<{ readonly leasts: Map<string, number> }> {
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

/** Returns the rule for a line of flags. The line may have no flags. */
function flagLines<D>(type: string, flags: FlagTable, keep: (draft: D, names: readonly string[]) => void) {
  const list = flags.list("plain");
  const read: Read<readonly string[]> = (at, field) => (field.text === "" ? [] : list(at, field));
  return wholeLines(`${type}:flag | flag`, read, keep);
}

function ownFlagLines(flags: FlagTable): LineRule<{ readonly flags: string[] }> {
  return flagLines("flags", flags, (draft, names) => draft.flags.push(...names));
}
