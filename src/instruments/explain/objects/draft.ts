import type { ObjectPlan } from "../../../objects/compile.js";
import { type FlagBits, losesFlags } from "../../../objects/law/flagBits.js";
import type { ObjectRequest } from "../../../objects/odds/impossible.js";
import type {
  AffixSpec,
  ArtifactSpec,
  ItemSpec,
  KindSpec,
  MadeObject,
  ObjectFiles,
  ObjectScores,
  ThemeSpec,
} from "../../../objects/types.js";

export type Modifier = "toHit" | "toDam" | "toAc";
export const MODIFIERS: readonly Modifier[] = ["toHit", "toDam", "toAc"];

const MOST_SHORT = 32_767;
const MOST_WEIGHT = 65_535;

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

type Numbers = Record<Modifier | "ac" | "dice" | "sides" | "weight", number>;

/** An object while it is made: its records, numbers and flags. */
export class Draft {
  readonly files: ObjectFiles;
  readonly #bits: FlagBits;
  kind: KindSpec;
  artifact: ArtifactSpec | undefined;
  theme: ThemeSpec | undefined;
  affixes: readonly AffixSpec[] = [];
  depths: readonly number[] = [];
  /** An index into the levels of the files. */
  affixLevel = -1;
  slots = 0;
  numbers: Numbers;
  #flags: ReadonlySet<string>;
  #pvals: ReadonlyMap<string, number> = new Map();

  constructor({ files, bits }: Pick<ObjectPlan, "files" | "bits">, kind: KindSpec) {
    this.files = files;
    this.#bits = bits;
    this.kind = kind;
    this.numbers = { ...numbersOf(kind), toHit: 0, toDam: 0, toAc: 0 };
    this.#flags = new Set(kind.flags);
  }

  /** Takes the numbers and flags of an artifact. Keeps the affixes and the slots. */
  become(artifact: ArtifactSpec, kind: KindSpec): void {
    this.kind = kind;
    this.artifact = artifact;
    const { toHit, toDam, toAc } = artifact;
    this.numbers = { ...numbersOf(artifact), toHit, toDam, toAc };
    const flags = new Set([...kind.flags, ...artifact.flags]);
    this.#flags = new Set(this.#bits.withoutContradictions([...flags]));
    this.#pvals = new Map();
  }

  /** Returns a function that undoes all later changes of the theme, the affixes, the numbers and the flags. */
  hold(): () => void {
    const { theme, affixes, depths, numbers } = this;
    const [flags, pvals] = [this.#flags, this.#pvals];
    return () => {
      Object.assign(this, { theme, affixes, depths, numbers });
      this.#flags = flags;
      this.#pvals = pvals;
    };
  }

  lacks(flag: string): boolean {
    return !this.#flags.has(flag);
  }

  pval(flag: string): number {
    return this.#pvals.get(flag) ?? 0;
  }

  addModifier(name: Modifier, value: number, least: number | undefined): void {
    this.#set(name, this.#sum(this.numbers[name], value, least), -MOST_SHORT, MOST_SHORT);
  }

  addPval(flag: string, value: number, least: number | undefined): void {
    const pvals = new Map(this.#pvals);
    const sum = within(this.#sum(this.pval(flag), value, least), -MOST_SHORT, MOST_SHORT);
    if (sum === 0) pvals.delete(flag);
    else pvals.set(flag, sum);
    this.#pvals = pvals;
  }

  addFlags(flags: readonly string[]): void {
    this.#flags = new Set([...this.#flags, ...flags]);
  }

  /** Changes the body of the object and removes flags, as an affix does at its end. */
  finishAffix({ acPercent, weightPercent, dice, sides, removes }: AffixSpec): void {
    const { numbers } = this;
    const changed = (value: number, percent: number) => Math.floor((value * (100 + percent)) / 100);
    this.#set("ac", changed(numbers.ac, acPercent), 0, MOST_SHORT);
    this.#set("weight", changed(numbers.weight, weightPercent), 0, MOST_WEIGHT);
    const least = dice === 0 && sides === 0 ? 0 : 1;
    this.#set("dice", numbers.dice + dice, least, MOST_SHORT);
    this.#set("sides", numbers.sides + sides, least, MOST_SHORT);
    this.#cleanUp([...this.#flags].filter((flag) => !removes.includes(flag)));
  }

  made(request: ObjectRequest, index: number, words: number): MadeObject {
    const { kind, artifact, theme, affixes, depths, affixLevel, slots, numbers } = this;
    const { level, quality } = request;
    const order = this.files.flags.map(({ name }) => name);
    const flags = order.filter((flag) => this.#flags.has(flag));
    const pvals = Object.fromEntries(
      order.flatMap((flag) => (this.pval(flag) === 0 ? [] : [[flag, this.pval(flag)] as const])),
    );
    const records = { kind, artifact, theme, affixes, depths };
    return { index, level, quality, ...records, affixLevel, slots, added: 0, words, ...numbers, flags, pvals };
  }

  score({ toHit, toDam, toAc, ac, dice, flags = {} }: ObjectScores): bigint {
    const { numbers } = this;
    const parts: [number | undefined, number][] = [
      [toHit, numbers.toHit],
      [toDam, numbers.toDam],
      [toAc, numbers.toAc],
      [ac, numbers.ac],
      [dice, numbers.dice * (numbers.sides + 1)],
      ...Object.entries(flags).map(([flag, factor]): [number, number] => [
        factor,
        this.lacks(flag) ? this.pval(flag) : 1,
      ]),
    ];
    return parts.reduce((sum, [factor = 0, value]) => sum + BigInt(factor) * BigInt(value), 0n);
  }

  #set(name: keyof Numbers, value: number, least: number, most: number): void {
    this.numbers = { ...this.numbers, [name]: within(value, least, most) };
  }

  /** Raises the sum to the minimum; by the rules of version 4, also the value that is added. */
  #sum(now: number, value: number, least = Number.NEGATIVE_INFINITY): number {
    return Math.max(now + (this.files.rules === "4.2" ? value : Math.max(value, least)), least);
  }

  #cleanUp(flags: readonly string[]): void {
    const clean = this.#bits.withoutContradictions(flags);
    const { rules } = this.files;
    if (!losesFlags({ rules, type: this.kind.type })) {
      this.#flags = new Set(clean);
      return;
    }
    const isKept = (flag: string) => this.#bits.isKeptByAmmunition(flag);
    this.#flags = new Set(clean.filter(isKept));
    this.#pvals = new Map([...this.#pvals].filter(([flag]) => isKept(flag)));
    this.numbers = { ...this.numbers, ac: 0, toAc: 0 };
  }
}

function numbersOf({ ac, dice, sides, weight }: ItemSpec) {
  return { ac, dice, sides, weight };
}
