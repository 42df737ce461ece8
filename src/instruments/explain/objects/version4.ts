import { LIFT_CASES } from "../../../kernel/layout.js";
import {
  affixWeight,
  excludeEachOther,
  fitsAny,
  halfPercents,
  rollsOf,
  THEME_SCALE,
} from "../../../objects/law/slots.js";
import type { AffixSpec, KindSpec, ThemeSpec } from "../../../objects/types.js";
import { Draft } from "./draft.js";
import { Rules } from "./rules.js";
import { applyAffix } from "./words.js";

/** The rules of version 4. An object can have several affixes, and a theme. */
export class Version4 extends Rules {
  readonly #rolls = rollsOf(this.call.plan.files.constants, this.call.request);

  protected override begin(): Draft | undefined {
    const { plan, request, words, artifacts } = this.call;
    this.part("artifact");
    if (this.triesArtifacts && words.isBelow("try", this.#rolls.tryOneIn, 1)) {
      const plain = artifacts.lines.filter(({ artifact }) => artifact.requires.length === 0);
      const line = artifacts.choose(words, artifacts.requested(plain));
      if (line !== undefined) {
        const draft = new Draft(plan, line.kind);
        artifacts.become(words, draft, line);
        return draft;
      }
    }
    this.part("kind");
    const draft = this.takeKind(request.kind ?? this.#pickKind());
    if (draft === undefined) return undefined;
    this.part("affix level");
    draft.affixLevel = request.affixLevel ?? this.#rollAffixLevel();
    this.part("slots");
    draft.slots = this.#rollSlots(draft.kind);
    return draft;
  }

  #pickKind(): KindSpec {
    const { plan, request, words } = this.call;
    const { level, quality } = request;
    const { bonus } = plan.files.constants.kinds;
    return this.pickKind(quality, () => {
      const more = quality === "normal" || bonus === 0 ? 0 : words.mBonus("deeper", bonus, level);
      return this.#rolls.kindDepth + more;
    });
  }

  #rollAffixLevel(): number {
    const { plan, words } = this.call;
    const { lifts, liftChance, secondOneIn } = this.#rolls;
    let level = lifts;
    if (words.isBelow("higher", LIFT_CASES, liftChance)) level++;
    if (secondOneIn > 0 && words.isBelow("higher, good", secondOneIn, 1)) level++;
    return Math.min(level, plan.files.levels.length - 1);
  }

  #rollSlots({ flags }: KindSpec): number {
    const { plan, words } = this.call;
    const { slotSides, addedSlots, extraSides } = this.#rolls;
    const { fewerIfGood, limit } = plan.files.constants.slots;
    let slots = words.below("number", slotSides) + addedSlots;
    if (extraSides > 0) slots += words.below("more", extraSides);
    return Math.min(Math.max(0, slots - (flags.includes("GOOD") ? fewerIfGood : 0)), limit);
  }

  protected override limitDepth(boosted: number): number {
    return boosted;
  }

  protected override pickAffix({ kind, affixLevel, affixes }: Draft, depth: number): AffixSpec | undefined {
    const { plan, request, words } = this.call;
    const place = { kind, level: request.level, depth, affixLevel };
    const weigh = (affix: AffixSpec) => ({ name: affix.name, weight: affixWeight(affix, place) });
    const here = plan.files.affixes.filter((affix) => weigh(affix).weight > 0);
    if (here.length === 0) return undefined;
    const picked = words.alias(`affix at depth ${depth}`, here, weigh);
    const isExcluded = (affix: AffixSpec) => affixes.some((other) => excludeEachOther(affix, other));
    if (!isExcluded(picked)) return picked;
    const left = here.filter((affix) => !isExcluded(affix));
    return left.length === 0 ? undefined : words.pick(`affix in place of ${picked.name}`, left, weigh);
  }

  protected override takeTheme(draft: Draft, depth: number): boolean {
    const { plan, request, words } = this.call;
    const { themes, constants } = plan.files;
    const owned = new Set(draft.affixes.map(({ number }) => number));
    const place = { kind: draft.kind, level: request.level, depth };
    const weigh = (theme: ThemeSpec) => ({ name: theme.name, weight: halfPercents(theme, owned, constants) });
    const here = themes.filter((theme) => fitsAny(theme.targets, place) && weigh(theme).weight > 0);
    const total = here.reduce((sum, theme) => sum + weigh(theme).weight, 0);
    if (total === 0 || !words.isBelow("theme", THEME_SCALE, total)) return false;
    draft.theme = words.pick("theme, choice", here, weigh);
    this.#applyTheme(draft, draft.theme, depth);
    return true;
  }

  #applyTheme(draft: Draft, { name, parts }: ThemeSpec, depth: number): void {
    const { plan, words } = this.call;
    const seen = new Set<number>();
    for (const { affix: number, chance } of parts) {
      const isFirst = !seen.has(number);
      seen.add(number);
      if (isFirst && draft.affixes.some((own) => own.number === number)) continue;
      const affix = plan.files.affixes.find((one) => one.number === number);
      if (affix === undefined) continue;
      if (chance < 100 && !words.isBelow(`${name}, ${affix.name}`, 100, chance)) continue;
      applyAffix(words, draft, affix, depth);
    }
  }

  /** Tries to make the object an artifact that requires some of its affixes. */
  protected override end(draft: Draft): void {
    if (!this.triesArtifacts || draft.theme !== undefined) return;
    const { words, artifacts } = this.call;
    const numbers = draft.affixes.map(({ number }) => number);
    const lines = artifacts.lines.filter(({ artifact, kind }) => {
      const { requires } = artifact;
      return requires.length > 0 && kind === draft.kind && requires.every((number) => numbers.includes(number));
    });
    this.part("artifact that requires affixes");
    if (lines.length === 0 || !words.isBelow("try", this.#rolls.tryOneIn, 1)) return;
    const line = artifacts.choose(words, lines);
    if (line !== undefined) artifacts.become(words, draft, line);
  }
}
