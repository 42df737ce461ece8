import { randomBytes } from "node:crypto";
import { InvalidArgumentError, Option } from "commander";
import { type Io, note } from "./io.js";

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}.`);
  };
}

/** The power of ten for each suffix. */
const SUFFIXES: Readonly<Record<string, number>> = { "": 0, k: 3, M: 6, G: 9 };

/** Accepts integers such as 250, 1e6, 1.5e6, 10_000, 10k, 2M and 1G. */
export function countOf(least: number, most: number): (text: string) => number {
  return (text) => {
    const found = /^\+?(\d+(?:_\d+)*)(?:\.(\d+))?(?:e\+?(\d{1,2})|([kMG]?))$/.exec(text.trim());
    const [, whole = "", part = "", exponent = "", suffix = ""] = found ?? [];
    const shift = (exponent === "" ? SUFFIXES[suffix] : Number(exponent)) - part.length;
    const value = found === null || shift < 0 ? Number.NaN : Number(`${whole.replaceAll("_", "")}${part}e${shift}`);
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}, such as 250, 1e6 or 10k.`);
  };
}

export function workOption(): Option {
  return new Option("--max-work <steps>", "how many steps the exact odds may take (default: 250M)").argParser(
    countOf(1, Number.MAX_SAFE_INTEGER),
  );
}

/** Suffix i stands for 1024 to the power of i. */
const BYTE_SUFFIXES = ["", "k", "m", "g", "t"];

/** Accepts 268435456, 256m, 1.5g and 2GiB. */
export function bytesOf(least: number): (text: string) => number {
  return (text) => {
    const [, number = "", suffix = ""] = /^\+?(\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
    const value = number === "" ? Number.NaN : Number(number) * 1024 ** BYTE_SUFFIXES.indexOf(suffix.toLowerCase());
    if (value >= least && Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`Expected a number of bytes from ${bytesText(least)} on, such as 256m or 2g.`);
  };
}

export function bytesText(bytes: number): string {
  const power = Math.min(BYTE_SUFFIXES.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return power === 0 ? `${Math.ceil(bytes)} bytes` : `${Number(value.toPrecision(3))} ${"KMGT"[power - 1]}iB`;
}

/** Adds one `KEY=VALUE` of a repeatable option to a record. */
export function keyValue(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Expected KEY=VALUE.");
  return Object.fromEntries([...Object.entries(before), [text.slice(0, at), text.slice(at + 1)]]);
}

export function seedOption(): Option {
  return new Option("--seed <text>", "seed of all results (default: a random seed, printed to stderr)");
}

/** If no seed is given, chooses one and prints it, so that the user can repeat the run. */
export function seedOr(io: Io, given: string | undefined): string {
  const { seed, announce } = chooseSeed(io, given);
  announce();
  return seed;
}

/** Chooses a seed if none is given. `announce` prints it: call it after all options are checked. */
export function chooseSeed(
  io: Io,
  given: string | undefined,
): { readonly seed: string; readonly announce: () => void } {
  if (given !== undefined) return { seed: given, announce: () => {} };
  const seed = randomBytes(6).toString("hex");
  return { seed, announce: () => note(io, `seed: ${seed}`) };
}

export function jsonOption(): Option {
  return new Option("--json", "print one JSON document");
}

export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
