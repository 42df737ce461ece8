import { number, optional, record, type SpecOf, SpecReader, specOf } from "../../spec/index.js";
import type { LoadLimits } from "../types.js";
import { matching } from "./store.js";

export const HOURS = /^(?!(.{5})-\1$)(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;
export const HOURS_TEXT = "two different times of day, such as 22:00-06:00";
/** Minimum of the limits `load` and `pauseAbove`. */
export const MIN_LOAD = 0.01;
const MINUTES_PER_DAY = 24 * 60;

/** The limits in `control.json`. A limit that is missing does not apply. */
export const STORED_LIMITS = record({
  load: optional(number({ least: MIN_LOAD, most: 1 })),
  between: optional(matching(HOURS, HOURS_TEXT)),
  pauseAbove: optional(number({ least: MIN_LOAD })),
});
export type StoredLimits = SpecOf<typeof STORED_LIMITS>;

/** The names of the limits, as options of calls. */
export const LIMIT_OPTIONS = STORED_LIMITS.keys;

/** Returns the limits after a change: a new limit replaces the old one, null removes it. Throws `argument.range`. */
export function changedLimits(old: StoredLimits, { load, between, pauseAbove }: LoadLimits): StoredLimits {
  const reader = new SpecReader({ noun: "limits", code: "argument.range" });
  const given = Object.entries({ load, between, pauseAbove }).filter(([, limit]) => limit !== undefined);
  const all = Object.entries({ ...old, ...Object.fromEntries(given) }).filter(([, limit]) => limit !== null);
  return specOf(reader.run(Object.fromEntries(all), (root) => STORED_LIMITS.read(reader, root)));
}

/** Whether a time of day is inside hours such as `22:00-06:00`. The first minute counts, the last one does not. */
export function isBetween(hours: string, clock: Date): boolean {
  const [from, to] = hours.split("-").map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  const since = (minute: number) => (minute - from + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  return since(clock.getHours() * 60 + clock.getMinutes()) < since(to);
}
