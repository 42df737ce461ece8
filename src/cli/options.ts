import { InvalidArgumentError, Option } from "commander";

/** Reads an option that is an integer from `least` to `most`, both allowed. */
export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`);
  };
}

/** Reads a repeatable option `KEY=VALUE` into a record. */
export function keyValue(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be KEY=VALUE.");
  return Object.fromEntries([...Object.entries(before), [text.slice(0, at), text.slice(at + 1)]]);
}

/** `--seed`, spelled the same for every command. */
export function seedOption(): Option {
  return new Option("--seed <text>", "seed of every result; without it one is made up and told on stderr");
}

/** `--json`, spelled the same for every command. */
export function jsonOption(): Option {
  return new Option("--json", "print one JSON document");
}

/** Reads a repeatable option into a list. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
