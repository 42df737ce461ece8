import { error, fail } from "../../errors/index.js";
import type { Script } from "../types.js";

/** The parts of a local time that {@link randomDefault} reads. */
interface LocalTime {
  /** 1 (January) … 12. */
  readonly month: number;
  /** 1 (Monday) … 7 (Sunday). */
  readonly weekday: number;
  /** 0 … 23. */
  readonly hour: number;
}

/**
 * Reads an ISO 8601 date or time as local time: `2026-01-05`, `2026-01-05T08:30`, with or without seconds. An offset or
 * a Z is accepted and ignored, so that every machine reads the same hour. Returns undefined for any other text.
 */
export function parseLocalTime(iso: string): LocalTime | undefined {
  const found =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(
      iso,
    );
  if (found === null) return undefined;
  const [, year, month, day, hour = "0"] = found;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // Date parses a day that does not exist, such as 30 February, as another day or as an invalid date.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  return { month: Number(month), weekday: date.getUTCDay() || 7, hour: Number(hour) };
}

/**
 * Formats the local time of a clock, to the second, so that {@link parseLocalTime} can read it: `2026-01-05T08:30:00`.
 */
export function localTimeText(clock: Date): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, "0");
  const date = [pad(clock.getFullYear(), 4), pad(clock.getMonth() + 1), pad(clock.getDate())].join("-");
  return `${date}T${[clock.getHours(), clock.getMinutes(), clock.getSeconds()].map((value) => pad(value)).join(":")}`;
}

/**
 * Maps each script id to the condition under which its weight is 100. Source: the DRDT page of NWAngband
 * (docs/formats.md).
 */
const WEIGHTS = new Map<number, (now: LocalTime) => boolean>([
  [1, ({ weekday }) => weekday === 1],
  [2, ({ hour }) => hour >= 6 && hour < 12],
  [3, ({ month }) => month === 1],
]);

/**
 * Creates the default script of the DRDT page. Script 1 returns 100 on a Monday, script 2 in the morning (06:00–11:59),
 * and script 3 in January. At other times they return 0. They read `now`, never a clock. The script throws a
 * RollmillError for another id (`table.unknown-script`) and if `now` is missing (`argument.range`).
 *
 * @param now - a local time in a format of {@link parseLocalTime}.
 * @throws RollmillError `argument.range` if `now` is not a valid date or time.
 */
export function randomDefault({ now }: { readonly now?: string | undefined } = {}): Script {
  const time = now === undefined ? undefined : parseLocalTime(now);
  if (now !== undefined && time === undefined) {
    const expected = "a date or a local time, such as 2026-01-05T08:30";
    return fail(
      error("argument.range", {
        problem: "not a valid date or time",
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
      const remedy = "Pass your own script, or use another built-in set";
      return fail(error("table.unknown-script", { problem, remedy }));
    }
    if (time === undefined) {
      const problem = `script ${id} of random_default reads the time, but now is missing`;
      return fail(error("argument.range", { problem, remedy: "Pass now, such as 2026-01-05T08:30" }));
    }
    return holds(time) ? 100 : 0;
  };
}
