const EQUAL = [1, 1, 1, 1, 1, 1] as const;

/**
 * The patterns of the drunken-walk study. Their absolute weights are equal. A name such as `rb50-lb50` lists turns,
 * each with its share in percent: RB right backward, LB left backward, SF straight forward, RF right forward, LF left
 * forward.
 */
export const PRESETS = {
  /** The map is compact but elongated. */
  "rb50-lb50": relative(0, 0, 1, 0, 1, 0),
  "rb66-lb33": relative(0, 0, 2, 0, 1, 0),
  /** The map is less compact, because straight runs bend to the right and close large loops. */
  "sf66-rf33": relative(2, 1, 0, 0, 0, 0),
  /** The map has regular holes, because one cell in three is never visited. */
  "rf50-lf50": relative(0, 1, 0, 0, 0, 1),
  /** 20 % for each turn except straight backward. */
  "five-ways": relative(1, 1, 1, 0, 1, 1),
  /** The plain drunken walk. Not in the study. */
  uniform: relative(1, 1, 1, 1, 1, 1),
} as const;

/** The name of a pattern in {@link PRESETS}. */
export type PresetName = keyof typeof PRESETS;

function relative(...weights: readonly number[]): { absolute: readonly number[]; relative: readonly number[] } {
  return { absolute: EQUAL, relative: weights };
}
