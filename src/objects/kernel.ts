import { type Address, type Kernel, Resident, Status } from "../kernel/index.js";
import { reaches } from "./compile/reach.js";
import type { ObjectPlan } from "./compile.js";
import type { Asked } from "./make/ask.js";
import { COLUMNS, type MadeObjects } from "./make/madeObjects.js";
import { MOST_AFFIXES } from "./odds/law.js";
import type { ArtifactSpec, Claim, MadeObject, ObjectFiles, ObjectScores } from "./types.js";

const QUALITIES = ["normal", "good", "great"] as const;
/** Words of what is asked: assembly/objects/asked.ts. */
const ASKED = { AFFIXES: 32, THEME: 12, ARTIFACT: 13, LIMITED: 14, LIMIT: 64, SCORES: 18 } as const;
const BODY_SCORES = 5;
const VECTOR_WORDS = 4;

/** Objects' plan in the kernel, what is asked of them there, and which artifacts are made. */
export class KernelObjects {
  readonly plan: ObjectPlan;
  readonly #kernel: Kernel;
  readonly #purpose: number;
  readonly #resident: Resident;
  /** By artifact: whether it was made, and by which object. Outlives an instance of the kernel. */
  readonly #claims: Uint32Array<ArrayBuffer>;

  constructor(
    kernel: Kernel,
    plan: ObjectPlan,
    { name, purpose }: { readonly name: string; readonly purpose: number },
  ) {
    this.plan = plan;
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#claims = new Uint32Array(2 * plan.files.artifacts.length);
    this.#resident = new Resident(kernel, `objects ${name}`, (exports) => {
      const address = exports.createObjects(plan.bytes);
      if (address === 0) return address;
      kernel.u8(address, plan.image.length).set(plan.image);
      if (exports.buildObjects(address) !== Status.OK) return 0 as Address;
      return address;
    });
  }

  /** The artifacts made, by number, and the objects that are them. */
  get claims(): readonly Claim[] {
    return this.claimsOf(this.#claims);
  }

  set claims(claims: readonly Claim[]) {
    const index = new Map(this.plan.files.artifacts.map(({ number }, i) => [number, i]));
    this.#claims.fill(0);
    for (const { artifact, object } of claims) this.#claims.set([1, object], 2 * (index.get(artifact) ?? 0));
  }

  /** The claims of when {@link claimed} was `claimed`. */
  claimsOf(claimed: Uint32Array<ArrayBuffer>): readonly Claim[] {
    return this.plan.files.artifacts.flatMap(({ number }, i) =>
      claimed[2 * i] === 0 ? [] : [{ artifact: number, object: claimed[2 * i + 1] }],
    );
  }

  /** The same as plain numbers, to come back to: a copy. */
  get claimed(): Uint32Array<ArrayBuffer> {
    return this.#claims.slice();
  }

  set claimed(claimed: Uint32Array<ArrayBuffer>) {
    this.#claims.set(claimed);
  }

  /** The object that made an artifact; undefined while nobody did. */
  claimant(artifact: ArtifactSpec): number | undefined {
    const i = this.plan.files.artifacts.indexOf(artifact);
    return this.#claims[2 * i] === 0 ? undefined : this.#claims[2 * i + 1];
  }

  /** Gets ready for calls about what is asked. */
  begin(asked: Asked): Address {
    const address = this.#resident.address;
    const words = this.#kernel.u32(at(address, this.plan.asked), ASKED.SCORES);
    const { files } = this.plan;
    const indexIn = <T>(records: readonly T[], record: T | undefined) =>
      record === undefined ? 0 : records.indexOf(record) + 1;
    const special = asked.affixes.length > 0 || asked.theme !== undefined;
    words.fill(0);
    words.set([
      ...[asked.level, QUALITIES.indexOf(asked.quality), indexIn(files.kinds, asked.kind), asked.tval ?? 0],
      ...[(asked.affixLevel ?? -1) + 1, Number(asked.artifacts && !special), asked.affixes.length, Number(special)],
    ]);
    words[ASKED.THEME] = indexIn(files.themes, asked.theme);
    words[ASKED.ARTIFACT] = indexIn(files.artifacts, asked.artifact);
    words[ASKED.LIMITED] = Number(asked.limit?.scores !== undefined);
    if (special) this.#kernel.u8(at(address, this.plan.able), files.kinds.length).set(ableKinds(files, asked));
    const must = this.#kernel.u16(at(address, this.plan.asked + ASKED.AFFIXES), MOST_AFFIXES);
    must.set(asked.affixes.map((affix) => files.affixes.indexOf(affix)));
    if (asked.limit?.scores !== undefined) this.#writeScores(address, asked.limit.scores, asked.limit.most);
    this.#kernel.u32(at(address, this.plan.claims), this.#claims.length).set(this.#claims);
    return address;
  }

  /** MadeObjects of a batch, `count` at most: those made, and where the next one stands if it was given up for now. */
  make(address: Address, { first, count, from, most }: { first: number; count: number; from: number; most: number }) {
    const made = this.#kernel.call((exports) => {
      const done = exports.makeObjects(address, this.#purpose, first, count, from, most) >>> 0;
      return { done, words: exports.wordsOfObject() >>> 0, attempts: exports.attemptsMade() >>> 0 };
    });
    this.#readClaims(address);
    return made;
  }

  /** Settles the artifacts of objects, as making them would. */
  replay(address: Address, first: number, count: number): void {
    this.#kernel.call((exports) => exports.replayArtifacts(address, this.#purpose, first, count));
    this.#readClaims(address);
  }

  /**
   * Makes one object, judged by the caller after each affix and each theme: `isTooMuch` takes it back. It stands as number 0
   * of the batch.
   */
  makeJudged(address: Address, { index, from }: { index: number; from: number }, isTooMuch: () => boolean): number {
    const call = (job: "nextAffix" | "nextTheme" | "undo" | "closeObject") =>
      this.#kernel.call((exports) => exports[job]()) !== 0;
    const judge = () => {
      this.#kernel.call((exports) => exports.showObject(0));
      return isTooMuch();
    };
    if (this.#kernel.call((exports) => exports.openObject(address, this.#purpose, index, from)) === 0) {
      while (call("nextAffix")) if (judge() || (call("nextTheme") && judge())) call("undo");
      call("closeObject");
    }
    this.#kernel.call((exports) => exports.showObject(0));
    this.#readClaims(address);
    return this.#kernel.call((exports) => exports.wordsOfObject()) >>> 0;
  }

  /** Gives an object one more affix, and the theme that this may bring; it stands as number 0 of the batch afterwards. */
  add(address: Address, object: MadeObject, affix: number): void {
    this.#write(address, object);
    this.#kernel.call((exports) => {
      exports.addToObject(address, this.#purpose, object.index, affix);
      exports.nextTheme();
      exports.showObject(0);
    });
  }

  /** Copies the first `count` objects of the last batch. */
  copy(
    address: Address,
    objects: MadeObjects,
    { done, count }: { readonly done: number; readonly count: number },
  ): void {
    for (const { column, stride, view } of this.#views(address, objects)) {
      column.set(view.subarray(0, count * stride), done * stride);
    }
  }

  /** The batch's columns in the kernel, beside those that they are for: assembly/objects/columns.ts has the order. */
  #views(address: Address, objects: MadeObjects) {
    const { batch, bits } = this.plan;
    let offset = this.plan.columns;
    const take = (bytes: number) => {
      offset += bytes * batch;
      return at(address, offset - bytes * batch);
    };
    const kernel = this.#kernel;
    const u16 = (stride: number) => ({ stride, view: kernel.u16(take(2 * stride), batch * stride) });
    const flags = (view: Uint32Array<ArrayBuffer>) => {
      // what hangs over the last row
      offset += bits.flagBytes - 4 * bits.words;
      return { column: objects.flags, stride: bits.words, view };
    };
    return [
      { column: objects.words, stride: 1, view: kernel.u32(take(4), batch) },
      ...COLUMNS.map(({ name, signed }) =>
        signed
          ? { column: objects[name], stride: 1, view: kernel.i16(take(2), batch) }
          : { column: objects[name], ...u16(1) },
      ),
      { column: objects.affixes, ...u16(MOST_AFFIXES) },
      { column: objects.depths, ...u16(MOST_AFFIXES) },
      flags(kernel.u32(take(4 * bits.words), batch * bits.words)),
      {
        column: objects.pvals,
        stride: bits.pvalNames.length,
        view: kernel.i16(take(2 * bits.pvalNames.length), batch * bits.pvalNames.length),
      },
    ] as const;
  }

  /** Writes an object as number 0 of the batch. */
  #write(address: Address, object: MadeObject): void {
    const { files, bits, batch, columns } = this.plan;
    const numbers = [
      ...[files.kinds.indexOf(object.kind), 0, 0, object.affixLevel + 1, object.slots, object.affixes.length],
      ...[object.toHit, object.toDam, object.toAc, object.ac, object.dice, object.sides, object.weight],
    ];
    this.#kernel.u32(at(address, columns), 1)[0] = object.words;
    let offset = columns + 4 * batch;
    for (const number of numbers) {
      this.#kernel.u16(at(address, offset), 1)[0] = number;
      offset += 2 * batch;
    }
    const eight = (values: readonly number[]) => {
      const own = this.#kernel.u16(at(address, offset), MOST_AFFIXES);
      own.fill(0);
      own.set(values);
      offset += 2 * MOST_AFFIXES * batch;
    };
    eight(object.affixes.map((affix) => files.affixes.indexOf(affix) + 1));
    eight(object.depths);
    this.#kernel.u32(at(address, offset), bits.words).set(bits.mask(object.flags));
    offset += 4 * bits.words * (batch - 1) + bits.flagBytes;
    const pvals = this.#kernel.i16(at(address, offset), bits.pvalNames.length);
    pvals.set(bits.pvalNames.map((name) => object.pvals[name] ?? 0));
  }

  #writeScores(address: Address, scores: ObjectScores, most: number): void {
    const { asked, bits } = this.plan;
    const flagScores = VECTOR_WORDS * Math.ceil(bits.words / VECTOR_WORDS) * 32;
    const limit = this.#kernel.u32(at(address, asked + ASKED.LIMIT), 2);
    limit.set([most % 2 ** 32, Math.floor(most / 2 ** 32)]);
    const body = this.#kernel.i32(at(address, asked + 4 * ASKED.SCORES), BODY_SCORES);
    body.set([scores.toHit ?? 0, scores.toDam ?? 0, scores.toAc ?? 0, scores.ac ?? 0, scores.dice ?? 0]);
    const rest = at(address, asked + 4 * (ASKED.SCORES + BODY_SCORES));
    const flags = this.#kernel.i32(rest, flagScores + bits.pvalNames.length);
    flags.fill(0);
    for (const [name, score] of Object.entries(scores.flags ?? {})) {
      flags[bits.hasBit(name) ? bits.bit(name) : flagScores + bits.pval(name)] = score;
    }
  }

  #readClaims(address: Address): void {
    this.#claims.set(this.#kernel.u32(at(address, this.plan.claims), this.#claims.length));
  }
}

/** By kind: whether T lines of the theme and of every affix asked for are about it. */
function ableKinds({ kinds }: ObjectFiles, { affixes, theme }: Asked): readonly number[] {
  const all = theme === undefined ? affixes : [...affixes, theme];
  return kinds.map((kind) => Number(all.every(({ targets }) => reaches(targets, kind))));
}

function at(address: Address, offset: number): Address {
  return (address + offset) as Address;
}
