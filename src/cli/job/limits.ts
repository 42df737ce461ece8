import { InvalidArgumentError } from "commander";
import { HOURS, HOURS_TEXT, MIN_LOAD } from "../../jobs/folder/limits.js";
import type { LoadLimits } from "../../jobs/index.js";
import { type Flags, option } from "../command.js";

const OFF = "off";
export const PAUSE_ABOVE = "begin no new task while the load of other programs on this machine is above this number";

export const LIMITS = [
  option("--load <share>", "use at most this share of all cores, such as 50%, by pauses between tasks", orOff(shareOf)),
  option("--between <hours>", "begin tasks only in these hours of local time, such as 22:00-06:00", orOff(hoursOf)),
  option("--pause-above <load>", PAUSE_ABOVE, orOff(positive)),
] as const;
export type LimitFlags = Flags<typeof LIMITS>;

export function limitsIn({ load, between, pauseAbove }: Partial<LimitFlags>): LoadLimits {
  const limitOf = <T>(flag: T | typeof OFF | undefined) => (flag === OFF ? null : flag);
  return { load: limitOf(load), between: limitOf(between), pauseAbove: limitOf(pauseAbove) };
}

export function limitLines({ load, between, pauseAbove }: LoadLimits): readonly string[] {
  return [
    ...(load == null ? [] : [`load\t${Number((100 * load).toFixed(2))}%`]),
    ...(between == null ? [] : [`between\t${between}`]),
    ...(pauseAbove == null ? [] : [`pause-above\t${pauseAbove}`]),
  ];
}

/** Returns a parser that also reads `off`. It does not become null here, because commander turns null into a text. */
function orOff<T>(parse: (text: string) => T): (text: string) => T | typeof OFF {
  return (text) => (text === OFF ? OFF : parse(text));
}

function shareOf(text: string): number {
  const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(text.trim()) ?? [];
  const share = Number(percent) / 100;
  if (share >= MIN_LOAD && share <= 1) return share;
  throw new InvalidArgumentError(`Expected a share of the cores from 1% to 100%, or ${OFF}.`);
}

function hoursOf(text: string): string {
  if (HOURS.test(text)) return text;
  throw new InvalidArgumentError(`Expected ${HOURS_TEXT}, or ${OFF}.`);
}

export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= MIN_LOAD && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("Expected a number of at least 0.01, such as 2.5.");
}
