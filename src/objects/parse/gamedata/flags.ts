import type { FlagSpec, RandomFlags } from "../../types.js";
import { flagsOf } from "../flags.js";

const STATS = "STR INT WIS DEX CON";
/** The elements that a random low and a random high resistance can protect from. */
const LOW = "ACID ELEC FIRE COLD";
const HIGH = "POIS LIGHT DARK SOUND SHARD NEXUS NETHER CHAOS DISEN";
const OTHER = "WATER ICE GRAVITY INERTIA FORCE TIME PLASMA METEOR MISSILE MANA HOLY_ORB ARROW";
const ELEMENTS = `${LOW} ${HIGH} ${OTHER}`;

/** The flags that every artifact has. They protect it from destruction by the elements of {@link LOW}. */
export const ARTIFACT_FLAGS: readonly string[] = /* @__PURE__ */ LOW.split(" ").map((element) => `IGNORE_${element}`);

/**
 * The built-in flags of Angband 4.2. No random property draws a resistance of the type `ORES`. Source: the game's own
 * lists of flags, kind flags, modifiers and elements. Its data files do not contain these lists.
 */
export const GAMEDATA_FLAGS: readonly FlagSpec[] = /* @__PURE__ */ flagsOf([
  ["STAT", "", STATS],
  ["PVAL", "", "STEALTH SEARCH INFRA TUNNEL SPEED BLOWS SHOTS MIGHT LIGHT DAM_RED MOVES"],
  ["SUST", "SUST_", STATS],
  ["PROT", "PROT_", "FEAR BLIND CONF STUN"],
  ["MISC", "", "SLOW_DIGEST FEATHER REGEN TELEPATHY SEE_INVIS FREE_ACT HOLD_LIFE TRAP_IMMUNE"],
  ["LRES", "RES_", LOW],
  ["HRES", "RES_", HIGH],
  ["ORES", "RES_", OTHER],
  ["IMM", "IM_", ELEMENTS],
  ["VULN", "VULN_", ELEMENTS],
  ["IGNORE", "IGNORE_", ELEMENTS],
  ["HATES", "HATES_", ELEMENTS],
  ["MELEE", "", "IMPACT BLESSED THROWING"],
  ["DIG", "DIG_", "1 2 3"],
  ["LIGHT", "", "BURNS_OUT TAKES_FUEL NO_FUEL LIGHT_2 LIGHT_3"],
  ["BAD", "", "IMPAIR_HP IMPAIR_MANA AFRAID NO_TELEPORT AGGRAVATE DRAIN_EXP STICKY FRAGILE EXPLODE"],
  ["INT", "", "GOOD INSTA_ART QUEST_ART EASY_KNOW SHOW_DICE SHOW_MULT SPELLS_OK MULTIPLY_WEIGHT"],
  ["INT", "SHOOTS_", "SHOTS ARROWS BOLTS"],
  ["INT", "RAND_", "HI_RES SUSTAIN POWER BASE_RES RES_POWER"],
]);

type RandomTypes = Pick<RandomFlags, "alternative"> & { readonly types: readonly string[] };

/** Each of these flags gives an ego one random flag of the listed types. If an ego has several, only the first counts. */
export const RANDOM_PROPERTIES: Readonly<Record<string, readonly RandomTypes[]>> = {
  RAND_SUSTAIN: [{ types: ["SUST"] }],
  RAND_POWER: [{ types: ["PROT", "MISC"] }],
  RAND_RES_POWER: [
    { types: ["PROT", "MISC"], alternative: { first: 0, share: 1, of: 3 } },
    { types: ["LRES"], alternative: { first: 1, share: 2, of: 3 } },
  ],
  RAND_BASE_RES: [{ types: ["LRES"] }],
  RAND_HI_RES: [{ types: ["HRES"] }],
};
