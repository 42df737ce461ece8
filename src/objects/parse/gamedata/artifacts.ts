import type { EditFile } from "../../../formats/editFile.js";
import { FlagBits } from "../../compile/flagBits.js";
import type { ArtifactSpec, KindSpec, PvalSpec, TypeSpec } from "../../types.js";
import { findSort, sortsOf } from "../artifacts.js";
import { MAX_AMOUNT } from "../kinds.js";
import { plainName } from "../nouns.js";
import {
  constant,
  type Head,
  type Headed,
  type LineRules,
  MAX_NUMBER,
  MAX_SVAL,
  readDepths,
  readDice,
  readInteger,
  readLines,
} from "../records.js";
import { type FileReport, type Place, reportAt } from "../report.js";
import { ARTIFACT_FLAGS } from "./flags.js";
import { completeKind, type GamedataContext, itemRules } from "./kinds.js";
import { hasLine, headOr, readNames, UnusedLines } from "./lines.js";

type Draft = { -readonly [K in keyof Omit<ArtifactSpec, keyof Lists>]: ArtifactSpec[K] } & Lists;

/** The lists of a draft. Each line of a record can add entries to them. */
interface Lists {
  readonly allocations: ArtifactSpec["allocations"][number][];
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly text: Record<string, string[]>;
}

/** The chance of an artifact is in percent. */
const PERCENTS = 100;

/**
 * Reads artifact.txt. The number of an artifact is its position in the file, counted from 1. An artifact whose
 * `base-object` line names no kind gets a kind of its own with the flag INSTA_ART, which is added to the kinds.
 */
export function parseGamedataArtifacts(
  report: FileReport,
  file: EditFile,
  context: GamedataContext & { readonly kinds: readonly KindSpec[] },
): { readonly artifacts: readonly ArtifactSpec[]; readonly kinds: readonly KindSpec[] } {
  const unused = new UnusedLines(report);
  const special = new SpecialKinds(context);
  const rules = artifactRules(context, unused, special);
  const known = new Set(context.flags.specs.map(({ name }) => name));
  const ignored = ARTIFACT_FLAGS.filter((name) => known.has(name));
  const artifacts: ArtifactSpec[] = [];
  for (const headed of readNames(report, file)) {
    const draft = readRecord(report, headed, rules);
    if (!hasLine(report, headed.record, ["base-object", "base-object:type:kind"])) continue;
    if (headed.head !== undefined) artifacts.push({ ...draft, flags: [...new Set([...draft.flags, ...ignored])] });
  }
  unused.warn();
  return { artifacts, kinds: [...context.kinds, ...special.kinds] };
}

/** The kinds of artifacts that no kind of object.txt stands for. */
class SpecialKinds {
  readonly kinds: KindSpec[] = [];
  readonly #context: GamedataContext;
  readonly #sorts: ReturnType<typeof sortsOf>;
  readonly #bits: FlagBits;
  /** For each tval, the greatest sval of its kinds. */
  readonly #svals = new Map<number, number>();
  #number = 0;

  constructor({ kinds, ...context }: GamedataContext & { readonly kinds: readonly KindSpec[] }) {
    this.#context = context;
    this.#sorts = sortsOf(kinds);
    this.#bits = new FlagBits(context.flags.specs);
    for (const { tval, sval, number } of kinds) {
      this.#svals.set(tval, Math.max(this.#svals.get(tval) ?? 0, sval));
      this.#number = Math.max(this.#number, number);
    }
  }

  /** Returns the sval of the kind with a name. Makes the kind if no kind of object.txt has the name. */
  svalOf(at: Place, name: { readonly text: string; readonly column: number }, type: TypeSpec, head: Head): number {
    const sval = findSort(name.text, this.#sorts, type);
    if (sval !== undefined) return sval;
    const own = this.kinds.find((kind) => kind.tval === type.tval && plainName(kind.name) === name.text);
    if (own !== undefined) return own.sval;
    const next = (this.#svals.get(type.tval) ?? 0) + 1;
    this.#number++;
    if (next > MAX_SVAL || this.#number > MAX_NUMBER || name.text === "") {
      reportAt(at, name, "object.files", {
        problem: "the artifact can get no kind of its own",
        got: name.text,
        expected: `the name of a kind, or a new name if the type has fewer than ${MAX_SVAL} kinds`,
        remedy: "Name a kind of object.txt",
      });
      return 0;
    }
    this.#svals.set(type.tval, next);
    this.kinds.push(this.#kind(name.text, type, { sval: next, number: this.#number, place: head.place }));
    return next;
  }

  #kind(name: string, type: TypeSpec, own: Pick<KindSpec, "number" | "sval" | "place">): KindSpec {
    const none = constant(0);
    const body = { level: 0, weight: 0, cost: 0, ac: 0, dice: 0, sides: 0, toHit: none, toDam: none, toAc: none };
    const flags = this.#context.flags.specs.some((flag) => flag.name === "INSTA_ART") ? ["INSTA_ART"] : [];
    const kind = {
      ...own,
      ...body,
      name: `& ${name}~`,
      type,
      tval: type.tval,
      allocation: undefined,
      pvals: [],
      text: {},
    };
    const base = this.#context.bases.find(({ tval }) => tval === type.tval);
    return completeKind({ ...kind, flags }, base, this.#bits);
  }
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): Draft {
  const draft: Draft = {
    ...headOr(head),
    tval: 0,
    sval: 0,
    level: 0,
    weight: 0,
    cost: 0,
    ac: 0,
    dice: 0,
    sides: 0,
    toHit: 0,
    toDam: 0,
    toAc: 0,
    allocations: [],
    flags: new Set(),
    pvals: [],
    requires: [],
    text: {},
  };
  readLines(report, record.lines, rules, draft);
  return draft;
}

function artifactRules(context: GamedataContext, unused: UnusedLines, special: SpecialKinds): LineRules<Draft> {
  const signed = (what: string) => ({ what, least: -MAX_AMOUNT, most: MAX_AMOUNT });
  return {
    "base-object": {
      form: "base-object:word of a type:name of a kind",
      count: [2, 2],
      read: (draft, at, [word, name]) => {
        const type = context.types.readWord(at, word);
        if (type !== undefined) Object.assign(draft, { tval: type.tval, sval: special.svalOf(at, name, type, draft) });
      },
    },
    alloc: {
      form: "alloc:chance %:min to max",
      count: [2, 2],
      read: (draft, at, [often, range]) => {
        const probability = readInteger(at, often, { what: "the chance %", least: 0, most: PERCENTS });
        const depths = readDepths(at, range);
        if (probability !== undefined && depths !== undefined) draft.allocations.push({ ...depths, probability });
      },
    },
    attack: {
      form: "attack:dice:to-hit:to-dam",
      count: [3, 3],
      read: (draft, at, [dice, hit, dam]) => {
        Object.assign(draft, readDice(at, dice));
        draft.toHit = readInteger(at, hit, signed("to-hit")) ?? 0;
        draft.toDam = readInteger(at, dam, signed("to-dam")) ?? 0;
      },
    },
    armor: {
      form: "armor:ac:to-ac",
      count: [2, 2],
      read: (draft, at, [ac, toAc]) => {
        draft.ac = readInteger(at, ac, { what: "the armour class", least: 0, most: MAX_AMOUNT }) ?? 0;
        draft.toAc = readInteger(at, toAc, signed("to-ac")) ?? 0;
      },
    },
    ...itemRules(context, unused),
  };
}
