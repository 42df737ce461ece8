import { error, fail } from "../../errors/index.js";
import { type LocalTime, parseLocalTime } from "../../localTime.js";
import { readOptions } from "../../spec/index.js";
import type { Script } from "../types.js";

/** The condition under which a script's weight is 100. Source: the DRDT page of NWAngband (docs/formats/tables.md). */
const WEIGHTS = new Map<number, (now: LocalTime) => boolean>([
  [1, ({ weekday }) => weekday === 1],
  [2, ({ hour }) => hour >= 6 && hour < 12],
  [3, ({ month }) => month === 1],
]);

export const LOCAL_TIME = "a date or a local time, such as 2026-01-05T08:30";
export const RANDOM_DEFAULT_IDS = "1 (Monday), 2 (morning) and 3 (January)";

export function isRandomDefaultScript(id: number): boolean {
  return WEIGHTS.has(id);
}

/**
 * Creates the default script of the DRDT page. Script 1 returns 100 on a Monday, script 2 in the morning (06:00–11:59),
 * and script 3 in January. At other times the scripts return 0. The returned function throws a RollmillError for any
 * other id (`table.unknown-script`) and if `now` is missing (`argument.range`).
 *
 * @param options - `now` is a local time, such as 2026-01-05T08:30.
 * @throws RollmillError `argument.range` if `now` is not a valid date or time; `argument.type`, `argument.option`.
 */
export function randomDefault(options: { readonly now?: string | undefined } = {}): Script {
  const { now } = readOptions("randomDefault", options, ["now"]);
  const time = typeof now === "string" ? parseLocalTime(now) : undefined;
  if (now !== undefined && time === undefined) {
    const [problem, where] = ['"now" is not a valid date or time', { path: "now" }];
    return fail(error("argument.range", { problem, got: now, expected: LOCAL_TIME, where }));
  }
  return (id) => {
    const holds = WEIGHTS.get(id);
    if (holds === undefined) {
      const problem = `the script set random_default has no script ${id}, only ${RANDOM_DEFAULT_IDS}`;
      const remedy = "Pass your own script, or use another built-in set";
      return fail(error("table.unknown-script", { problem, remedy }));
    }
    if (time === undefined) {
      const problem = `script ${id} of random_default needs the option "now"`;
      return fail(error("argument.range", { problem, remedy: 'Pass "now", such as 2026-01-05T08:30' }));
    }
    return holds(time) ? 100 : 0;
  };
}
