import { error, fail } from "../../errors/index.js";
import { type LocalTime, parseLocalTime } from "../../localTime.js";
import type { Script } from "../types.js";

/** Maps each script id to the condition under which its weight is 100. Source: the table of the DRDT page. */
const WEIGHTS = new Map<number, (now: LocalTime) => boolean>([
  [1, ({ weekday }) => weekday === 1],
  [2, ({ hour }) => hour >= 6 && hour < 12],
  [3, ({ month }) => month === 1],
]);

/**
 * The default script of the DRDT page: 1 → 100 on a Monday, 2 → 100 in the morning (06:00–11:59), 3 → 100 in January,
 * else 0. It reads no clock. It throws a RollmillError for another id (`table.unknown-script`) and if `now` is missing
 * (`argument.range`).
 *
 * @param now - a local time as {@link parseLocalTime} takes it.
 * @throws RollmillError `argument.range` if `now` is not a valid date and time.
 */
export function randomDefault({ now }: { readonly now?: string | undefined } = {}): Script {
  const time = now === undefined ? undefined : parseLocalTime(now);
  if (now !== undefined && time === undefined) {
    const expected = "a date or a local time, such as 2026-01-05T08:30";
    return fail(
      error("argument.range", {
        problem: "now is not a valid date and time",
        got: now,
        expected,
        where: { path: "now" },
      }),
    );
  }
  return (id) => {
    const holds = WEIGHTS.get(id);
    if (holds === undefined) {
      const problem = `random_default has no script ${id}, only 1 (Monday), 2 (morning) and 3 (January)`;
      const remedy = "Pass your own script, or another built-in one";
      return fail(error("table.unknown-script", { problem, remedy }));
    }
    if (time === undefined) {
      const problem = `script ${id} of random_default reads the time, but now is missing`;
      return fail(error("argument.range", { problem, remedy: "Pass now, such as 2026-01-05T08:30" }));
    }
    return holds(time) ? 100 : 0;
  };
}
