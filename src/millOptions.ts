import { error, fail } from "./errors/index.js";
import { parseLocalTime } from "./localTime.js";

/** Of the option `maxMemory`. */
export const DEFAULT_MEMORY = 2 ** 30;
const MIN_MEMORY = 2 ** 20;
const MAX_MEMORY = 2 ** 32;

/** @throws RollmillError `argument.type` if the seed is not a {@link Seed}, or is NaN or infinite. */
export function seedText(seed: unknown): string {
  const usable = typeof seed === "string" || typeof seed === "bigint" || Number.isFinite(seed);
  if (usable) return String(seed);
  const expected = "a string, a finite number or a bigint";
  return fail(error("argument.type", { problem: "invalid seed", got: seed, expected }));
}

/** @throws RollmillError `argument.range` if it is not a number of bytes from 1 MiB to 4 GiB. */
export function checkMemory(bytes: unknown): number {
  const usable = typeof bytes === "number" && Number.isInteger(bytes) && bytes >= MIN_MEMORY && bytes <= MAX_MEMORY;
  if (usable) return bytes;
  const expected = `an integer from ${MIN_MEMORY} (1 MiB) to ${MAX_MEMORY} (4 GiB)`;
  return fail(error("argument.range", { problem: '"maxMemory" is out of range', got: bytes, expected }));
}

/** @throws RollmillError `argument.range` if it is not a local time. */
export function checkNow(now: string | undefined): string | undefined {
  if (now === undefined || (typeof now === "string" && parseLocalTime(now) !== undefined)) return now;
  const expected = "a local time such as 2026-01-05T08:30";
  return fail(error("argument.range", { problem: '"now" is not a valid date and time', got: now, expected }));
}

/** @throws RollmillError `argument.type` if it is not a text or is empty. */
export function checkName(name: unknown): string {
  if (typeof name === "string" && name !== "") return name;
  return fail(
    error("argument.type", { problem: "invalid name", got: name, expected: "a text of at least 1 character" }),
  );
}

/** @throws RollmillError `argument.name-taken`, always. */
export function refuseName(name: string, noun: string): never {
  const problem = `mill.${noun} has already used the name ${JSON.stringify(name)}`;
  const remedy = "Use another name, or call mill.release with this name first";
  return fail(error("argument.name-taken", { problem, remedy }));
}
