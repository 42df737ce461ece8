import { BOOST_SIDES } from "../../../kernel/layout.js";
import type { ObjectPlan } from "../../../objects/compile.js";
import { canBeDrawn } from "../../../objects/law/kinds.js";
import { reaches } from "../../../objects/law/reach.js";
import type { ObjectRequest } from "../../../objects/odds/impossible.js";
import type { AffixSpec, ArtifactSpec, KindSpec, Quality } from "../../../objects/types.js";
import type { Artifacts } from "./artifacts.js";
import { Draft } from "./draft.js";
import { applyAffix, rollModifiers, rollPvals, type Words } from "./words.js";

interface Call {
  readonly plan: ObjectPlan;
  readonly request: ObjectRequest;
  readonly words: Words;
  readonly artifacts: Artifacts;
  readonly index: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** One attempt to make an object: what the rules of version 4 and those of Angband 4.2 have in common. */
export abstract class Rules {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }

  /** Returns undefined if the attempt ends early, because the kind cannot have what is requested. */
  make(): Draft | undefined {
    const { artifact } = this.call.request;
    if (artifact !== undefined) return this.#requested(artifact);
    const draft = this.begin();
    if (draft === undefined || draft.artifact !== undefined) return draft;
    for (let slot = 1; slot <= draft.slots && draft.theme === undefined; slot++) this.#fill(draft, slot);
    this.end(draft);
    return draft;
  }

  /** Everything before the first slot. */
  protected abstract begin(): Draft | undefined;
  protected abstract pickAffix(draft: Draft, depth: number): AffixSpec | undefined;
  protected abstract limitDepth(boosted: number): number;
  protected abstract takeTheme(draft: Draft, depth: number): boolean;
  /** Everything after the last slot. */
  protected abstract end(draft: Draft): void;

  protected part(part: string): void {
    const { words, attempt } = this.call;
    words.part(this.isSelective ? `attempt ${attempt}, ${part}` : part);
  }

  protected get isSelective(): boolean {
    const { affixes, theme } = this.call.request;
    return affixes.length > 0 || theme !== undefined;
  }

  protected get triesArtifacts(): boolean {
    return this.call.request.artifacts && !this.isSelective;
  }

  /** Picks kinds until one has the requested type. Calls `depthOf` for the depth of each pick. */
  protected pickKind(quality: Quality, depthOf: () => number): KindSpec {
    const { plan, request, words } = this.call;
    const { kinds, rules } = plan.files;
    const drawn = kinds.filter((kind) => canBeDrawn(kind, { rules, quality }));
    const deepest = drawn.reduce((most, { allocation }) => Math.max(most, allocation?.most ?? 0), 0);
    for (;;) {
      const depth = Math.min(depthOf(), deepest);
      const here = drawn.filter(({ allocation }) => {
        return allocation !== undefined && allocation.least <= depth && depth <= allocation.most;
      });
      const kind = words.alias(`kind at depth ${depth}`, here, ({ name, allocation }) => {
        return { name: plainName(name), weight: allocation?.commonness ?? 0 };
      });
      if (request.tval === undefined || kind.tval === request.tval) return kind;
    }
  }

  /** Begins an object of a kind. Undefined if the kind cannot have what is requested. */
  protected takeKind(kind: KindSpec): Draft | undefined {
    const { plan, request, words } = this.call;
    const { affixes, theme, level } = request;
    const wanted = theme === undefined ? affixes : [...affixes, theme];
    if (!wanted.every(({ targets }) => reaches(targets, kind))) return undefined;
    const draft = new Draft(plan, kind);
    rollModifiers(words, draft, kind, level);
    rollPvals(words, draft, kind.pvals, level);
    return draft;
  }

  #requested(artifact: ArtifactSpec): Draft {
    const { plan, request, words, artifacts } = this.call;
    const { kinds, affixes } = plan.files;
    const kind = kinds.find(({ tval, sval }) => tval === artifact.tval && sval === artifact.sval) ?? kinds[0];
    const draft = new Draft(plan, kind);
    artifacts.become(words, draft, { artifact, kind });
    draft.affixes = affixes.filter(({ number }) => artifact.requires.includes(number));
    draft.depths = draft.affixes.map(() => request.level);
    return draft;
  }

  #fill(draft: Draft, slot: number): void {
    this.part(`slot ${slot} of ${draft.slots}`);
    const depth = this.#depth();
    const affix = this.pickAffix(draft, depth);
    if (affix === undefined) return;
    const undo = draft.hold();
    applyAffix(this.call.words, draft, affix, depth);
    draft.affixes = [...draft.affixes, affix];
    draft.depths = [...draft.depths, depth];
    if (this.#isTooMuch(draft) || (this.takeTheme(draft, depth) && this.#isTooMuch(draft))) undo();
  }

  #depth(): number {
    const { plan, request, words } = this.call;
    const { level } = request;
    if (level === 0 || !words.isBelow("boost", plan.files.constants.slots.boostOneIn, 1)) return level;
    const depthOf = (value: number) => this.limitDepth(1 + Math.floor((BOOST_SIDES * level) / (1 + value)));
    return depthOf(words.below("depth", BOOST_SIDES, (value) => `depth ${depthOf(value)}`));
  }

  #isTooMuch(draft: Draft): boolean {
    const { request, index, words } = this.call;
    const { limit } = request;
    if (limit === undefined) return false;
    if (limit.scores !== undefined) return draft.score(limit.scores) > BigInt(limit.most);
    return limit.power !== undefined && limit.power(draft.made(request, index, words.count)) > limit.most;
  }
}

/** The name of a kind without the marks of its file. */
function plainName(name: string): string {
  return name.replace(/^& |~/g, "");
}
