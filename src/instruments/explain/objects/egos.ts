import {
  BOOST_SIDES,
  GOOD_SPECIAL_ONE_IN,
  GREAT_PERCENT,
  GREAT_POWER,
  GREAT_TRIES,
  KIND_BOOST_ONE_IN,
  KIND_BOOST_SIDES,
  KIND_DEEPER,
  LEAST_ODDS,
  LIFT_CASES,
  ODDS_STEP,
  POWER_BASE,
  SPECIAL_ONE_IN,
  TRIES,
} from "../../../kernel/layout.js";
import { GOOD_ENCHANTMENT, GREAT_ENCHANTMENT } from "../../../objects/law/egos.js";
import { fits } from "../../../objects/law/slots.js";
import { isWeapon } from "../../../objects/law/tvals.js";
import type { AffixSpec, KindSpec, Quality, RandomValue } from "../../../objects/types.js";
import { Draft, type Modifier } from "./draft.js";
import { Rules } from "./rules.js";
import { rollModifiers } from "./words.js";

/** The rules of Angband 4.2. An object gets at most one affix, its ego. */
export class Egos extends Rules {
  /** A normal object that tries to become a special artifact, and does not, is good. */
  #quality: Quality = this.call.request.quality;

  protected override begin(): Draft | undefined {
    const { plan, request, words, artifacts } = this.call;
    this.part("special artifact");
    const special = this.triesArtifacts ? this.#trySpecial() : undefined;
    if (special !== undefined) {
      const draft = new Draft(plan, special.kind);
      artifacts.become(words, draft, special);
      return draft;
    }
    this.part("kind");
    const draft = this.takeKind(request.kind ?? this.#pickKind());
    if (draft === undefined) return undefined;
    this.part("power");
    const power = request.affixLevel === undefined ? this.#rollPower() : request.affixLevel + 1;
    if (this.triesArtifacts && power >= GREAT_POWER && this.#becomeOrdinary(draft)) return draft;
    draft.affixLevel = power - 1;
    draft.slots = Number(power >= GREAT_POWER);
    this.part("enchantment");
    if (power >= GREAT_POWER - 1) this.#enchant(draft, GOOD_ENCHANTMENT);
    if (power >= GREAT_POWER) this.#enchant(draft, GREAT_ENCHANTMENT);
    return draft;
  }

  #trySpecial() {
    const { words, artifacts } = this.call;
    const isNormal = this.#quality === "normal";
    if (!words.isBelow("try", isNormal ? SPECIAL_ONE_IN : GOOD_SPECIAL_ONE_IN, 1)) return undefined;
    const special = artifacts.lines.filter(({ kind }) => isSpecial(kind));
    const line = artifacts.first(words, artifacts.requested(special));
    if (line === undefined && isNormal) this.#quality = "good";
    return line;
  }

  #pickKind(): KindSpec {
    const { request, words } = this.call;
    const quality = this.#quality;
    const usual = request.level + (quality === "normal" ? 0 : KIND_DEEPER);
    return this.pickKind(quality, () => {
      if (usual === 0 || !words.isBelow("boost", KIND_BOOST_ONE_IN, 1)) return Math.min(usual, KIND_BOOST_SIDES);
      const boosted = 1 + Math.floor((KIND_BOOST_SIDES * usual) / (1 + words.below("depth", KIND_BOOST_SIDES)));
      return Math.min(boosted, KIND_BOOST_SIDES);
    });
  }

  #rollPower(): number {
    const { request, words } = this.call;
    if (this.#quality === "normal" && !words.isBelow("good", LIFT_CASES, POWER_BASE + request.level)) return 1;
    const isGreat = this.#quality === "great" || words.isBelow("great", LIFT_CASES, GREAT_PERCENT);
    return isGreat ? GREAT_POWER : GREAT_POWER - 1;
  }

  #becomeOrdinary(draft: Draft): boolean {
    const { words, artifacts } = this.call;
    this.part("artifact of the kind");
    const own = artifacts.lines.filter(({ kind }) => kind === draft.kind && !isSpecial(kind));
    for (let tries = this.#quality === "great" ? GREAT_TRIES : TRIES; tries > 0; tries--) {
      const line = artifacts.first(words, own);
      if (line === undefined) continue;
      artifacts.become(words, draft, line);
      return true;
    }
    return false;
  }

  #enchant(draft: Draft, value: RandomValue): void {
    const { type } = draft.kind;
    const names: readonly Modifier[] = isWeapon(type) ? ["toHit", "toDam"] : type.group === "armour" ? ["toAc"] : [];
    const values = { toHit: value, toDam: value, toAc: value };
    rollModifiers(this.call.words, draft, values, this.call.request.level, names);
  }

  protected override limitDepth(boosted: number): number {
    return Math.min(boosted, BOOST_SIDES - 1);
  }

  protected override pickAffix({ kind }: Draft, depth: number): AffixSpec | undefined {
    const { plan, words } = this.call;
    const entrants = plan.files.affixes.flatMap((affix) => {
      const line = affix.targets.find((target) => target.probability > 0 && fits(target, kind));
      if (line === undefined || depth > line.most) return [];
      const { usual = 0, probability: weight } = line;
      const oneIn = Math.max(LEAST_ODDS, Math.floor((usual - depth) / ODDS_STEP));
      const enters = usual <= depth || words.isBelow(`${affix.name} takes part`, oneIn, 1);
      return enters ? [{ affix, weight }] : [];
    });
    if (entrants.length === 0) return undefined;
    return words.pick("ego", entrants, ({ affix: { name }, weight }) => ({ name, weight })).affix;
  }

  protected override takeTheme(): boolean {
    return false;
  }

  protected override end(): void {}
}

function isSpecial({ flags }: KindSpec): boolean {
  return flags.includes("INSTA_ART");
}
