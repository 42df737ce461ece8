/** Objects by the law of docs/determinism.md, section 5, one at a time and one decision after another. */

import type {
  AffixSpec,
  ArtifactSpec,
  KindSpec,
  MadeObject,
  ObjectFiles,
  Quality,
  ThemeSpec,
} from "../../src/objects/types.js";
import {
  type Asked,
  applyAffix,
  applyTheme,
  becomeArtifact,
  copyOf,
  type Draft,
  draftOf,
  madeOf,
  startArtifact,
  startKind,
} from "./objectApply.js";
import {
  affixesAbout,
  affixWeight,
  artifactsByAffixes,
  artifactsOf,
  drawableKinds,
  isAbout,
  isExcluded,
  kindOf,
  kindsAt,
  themeOdds,
  themesAbout,
} from "./objectTables.js";
import { ObjectWords, sum, type WordRead, wordsInOrder } from "./objectWords.js";
import type { StreamWords, TwinKey } from "./words.js";

/** What is asked of an object. */
export interface TwinOptions {
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  readonly kind?: KindSpec | undefined;
  readonly tval?: number | undefined;
  /** Index into the files' levels. */
  readonly affixLevel?: number | undefined;
  readonly withAffixes?: readonly AffixSpec[] | undefined;
  readonly theme?: ThemeSpec | undefined;
  readonly artifact?: ArtifactSpec | undefined;
  /** Whether objects may be artifacts: they may where this is left out. */
  readonly artifacts?: boolean | undefined;
  /** Whether an object is too good. */
  readonly isBroken?: ((object: MadeObject) => boolean) | undefined;
  /** How often a request is tried for. */
  readonly attempts?: number | undefined;
}

/** What does not depend on the object. */
const TRY = { normal: 400, good: 50, great: 15 };
const BOOST = { normal: 0, good: 5, great: 10 };
const MORE_SLOTS = { normal: 0, good: 1, great: 3 };
const MAX_SLOTS = 8;
const ATTEMPTS = 1_000_000;

/** Makes objects, and keeps which of them made which artifact. */
export class ObjectTwin {
  /** Numbers of artifacts, and the index of the object that each was made as. */
  readonly claims: Map<number, number>;
  readonly #files: ObjectFiles;
  readonly #words: StreamWords;
  readonly #watch: ((read: WordRead) => void) | undefined;

  /** `address` may be words of any other make; `watch` is told of every word that is read. */
  constructor(
    files: ObjectFiles,
    address: TwinKey | StreamWords,
    { claims = new Map(), watch }: { claims?: Map<number, number>; watch?: (read: WordRead) => void } = {},
  ) {
    this.#files = files;
    this.#words = "word" in address ? address : wordsInOrder(address);
    this.#watch = watch;
    this.claims = claims;
  }

  /** Object `index`; undefined where there is none such. */
  make(index: number, options: TwinOptions): MadeObject | undefined {
    const words = new ObjectWords(this.#words, { object: index, watch: this.#watch });
    const asked = { index, level: options.level, quality: options.quality };
    const draft = this.#draft(words, asked, options);
    if (draft === undefined) return undefined;
    if (draft.artifact !== undefined) this.claims.set(draft.artifact.number, index);
    return madeOf(this.#files, draft, words.read);
  }

  /** The object with one more affix, and with a theme where that brings one. */
  addAffix(object: MadeObject, affix: AffixSpec, { isBroken }: Pick<TwinOptions, "isBroken"> = {}): MadeObject {
    const words = new ObjectWords(this.#words, { object: object.index, from: object.words, watch: this.#watch });
    const draft = this.#withAffix(words, draftOf(object), { affix, depth: object.level, isBroken });
    draft.added = object.added + draft.affixes.length - object.affixes.length;
    return madeOf(this.#files, draft, words.read);
  }

  #draft(words: ObjectWords, asked: Asked, options: TwinOptions): Draft | undefined {
    if (options.artifact !== undefined) return this.#artifactAsked(words, asked, options.artifact);
    const { withAffixes = [], theme } = options;
    if (withAffixes.length > 0 || theme !== undefined) return this.#requested(words, asked, options);
    if (options.artifacts === false) return this.#ordinary(words, asked, options);
    const artifact = this.#tryArtifact(words, asked, () => artifactsOf(this.#files, options));
    const own = artifact && kindOf(this.#files, artifact);
    if (artifact !== undefined && own !== undefined)
      return startArtifact(this.#files, words, asked, { artifact, kind: own });
    const draft = this.#ordinary(words, asked, options);
    if (draft === undefined || draft.theme !== undefined) return draft;
    const among = artifactsByAffixes(this.#files, draft);
    const second = among.length === 0 ? undefined : this.#tryArtifact(words, asked, () => among);
    return second === undefined ? draft : becomeArtifact(this.#files, words, draft, second);
  }

  #artifactAsked(words: ObjectWords, asked: Asked, artifact: ArtifactSpec): Draft | undefined {
    const maker = this.claims.get(artifact.number);
    const kind = kindOf(this.#files, artifact);
    if (kind === undefined || (maker !== undefined && maker !== asked.index)) return undefined;
    if (!artifact.allocations.some(({ most }) => asked.level <= most)) return undefined;
    const draft = startArtifact(this.#files, words, asked, { artifact, kind });
    const affixes = this.#files.affixes.filter(({ number }) => artifact.requires.includes(number));
    return { ...draft, affixes, depths: affixes.map(() => asked.level) };
  }

  #requested(words: ObjectWords, asked: Asked, options: TwinOptions): Draft | undefined {
    const { withAffixes = [], theme, attempts = ATTEMPTS } = options;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const draft = this.#ordinary(words, asked, options);
      if (draft === undefined || (theme !== undefined && draft.theme?.number !== theme.number)) continue;
      const times = (affixes: readonly AffixSpec[], affix: AffixSpec) =>
        affixes.filter(({ number }) => number === affix.number).length;
      if (withAffixes.every((affix) => times(draft.affixes, affix) >= times(withAffixes, affix))) return draft;
    }
    return undefined;
  }

  /** The try, the lines, the choice. */
  #tryArtifact(words: ObjectWords, { index, level, quality }: Asked, among: () => readonly ArtifactSpec[]) {
    if (words.below(TRY[quality], "artifact, try") !== 0) return undefined;
    const passed: { readonly artifact: ArtifactSpec; readonly probability: number }[] = [];
    for (const artifact of among()) {
      for (const { least, most, probability } of artifact.allocations) {
        if (probability === 0 || most < level) continue;
        const passes = least <= level || words.below(2 * (least - level), `artifact, line of ${artifact.name}`) === 0;
        if (passes) passed.push({ artifact, probability });
      }
    }
    const own = passed.find(({ artifact }) => this.claims.get(artifact.number) === index);
    const free = passed.filter(({ artifact }) => !this.claims.has(artifact.number));
    if (own === undefined && free.length > 0) {
      return free[
        words.prefixPick(
          free.map(({ probability }) => probability),
          "artifact, choice",
        )
      ].artifact;
    }
    words.skip("artifact, choice");
    return own?.artifact;
  }

  /** From the kind to the last slot. */
  #ordinary(words: ObjectWords, asked: Asked, options: TwinOptions): Draft | undefined {
    const kind = options.kind ?? this.#drawKind(words, asked, options.tval);
    if (kind === undefined) return undefined;
    const wanted = [...(options.withAffixes ?? []), ...(options.theme === undefined ? [] : [options.theme])];
    if (!wanted.every(({ targets }) => targets.some((target) => isAbout(target, kind)))) return undefined;
    let draft = startKind(this.#files, words, asked, kind);
    draft.affixLevel = options.affixLevel ?? this.#affixLevel(words, asked);
    draft.slots = slotsOf(words, draft);
    for (let slot = 0; slot < draft.slots && draft.theme === undefined; slot++) {
      draft = this.#slot(words, draft, options);
    }
    return draft;
  }

  #drawKind(words: ObjectWords, { level, quality }: Asked, tval: number | undefined): KindSpec | undefined {
    const drawable = drawableKinds(this.#files, quality);
    while (true) {
      const depth = quality === "normal" ? level : level + BOOST[quality] + words.mBonus(5, level, "kind, depth");
      const { kinds, weights } = kindsAt(drawable, depth);
      if (kinds.length === 0) return undefined;
      const kind = kinds[words.aliasPick(weights, "kind")];
      if (tval === undefined || kind.tval === tval) return kind;
    }
  }

  /** Counted from 0, as the levels of the files are. */
  #affixLevel(words: ObjectWords, { level, quality }: Asked): number {
    let affixLevel = 1;
    if (words.below(100, "affix level") < 10 + level) affixLevel++;
    if (quality === "great" || (quality === "good" && words.below(4, "affix level, good") === 0)) affixLevel++;
    return Math.min(affixLevel, this.#files.levels.length) - 1;
  }

  #slot(words: ObjectWords, draft: Draft, { isBroken }: TwinOptions): Draft {
    const { level } = draft;
    const isBoosted = level > 0 && words.below(20, "slot, boost") === 0;
    const depth = isBoosted ? 1 + Math.floor((128 * level) / (1 + words.below(128, "slot, depth"))) : level;
    const weigh = (affix: AffixSpec) => affixWeight(affix, draft, depth);
    const legal = affixesAbout(this.#files, draft.kind).filter((affix) => weigh(affix) > 0);
    if (legal.length === 0) return draft;
    let affix: AffixSpec = legal[words.aliasPick(legal.map(weigh), "slot, affix")];
    if (isExcluded(affix, draft)) {
      const others = legal.filter((other) => !isExcluded(other, draft));
      if (others.length === 0) return draft;
      affix = others[words.prefixPick(others.map(weigh), "slot, another affix")];
    }
    return this.#withAffix(words, draft, { affix, depth, isBroken });
  }

  /** An affix, and the theme that it may bring; as before where either makes the object too good. */
  #withAffix(
    words: ObjectWords,
    before: Draft,
    { affix, depth, isBroken }: { readonly affix: AffixSpec; readonly depth: number } & Pick<TwinOptions, "isBroken">,
  ): Draft {
    const isTooGood = (draft: Draft) => isBroken?.(madeOf(this.#files, draft, 0)) ?? false;
    const draft = copyOf(before);
    applyAffix(this.#files, words, draft, { affix, depth });
    draft.affixes.push(affix);
    draft.depths.push(depth);
    if (isTooGood(draft)) return before;
    const themes = themesAbout(this.#files, draft.kind);
    const odds = themes.map((theme) => themeOdds(theme, draft, depth));
    const total = sum(odds);
    if (total === 0 || words.below(200, "theme") >= total) return draft;
    const theme = themes[words.prefixPick(odds, "theme, choice")];
    applyTheme(this.#files, words, draft, { theme, depth });
    return isTooGood(draft) ? before : draft;
  }
}

/** How many affixes are tried for. */
function slotsOf(words: ObjectWords, { level, quality, kind }: Draft): number {
  let slots = words.below(2 + Math.floor(level / 25), "slots");
  if (quality !== "normal") slots += MORE_SLOTS[quality] + words.below(2, `slots, ${quality}`);
  if (kind.flags.includes("GOOD")) slots--;
  return Math.min(Math.max(slots, 0), MAX_SLOTS);
}
