import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STREAM_VERSION } from "../../src/index.js";

/** A golden file: what is made from what, for one version of the random words. */
interface Golden<Spec> {
  readonly stream: number;
  readonly cases: Readonly<Record<string, { readonly spec: Spec; readonly gives?: unknown }>>;
}

/**
 * Holds the library to a golden file beside this one. Values change with the stream version and never without it, so this
 * writes only what is not there: run with GOLDEN=write to fill in new cases, or all of them for a new stream
 * version, then have Biome lay the file out. A file may be held to twice, under another title: by the library and by a twin.
 */
export function checkGolden<Spec>(name: string, make: (spec: Spec) => unknown, title = name): void {
  const file = new URL(`${name}.json`, import.meta.url);
  const golden = JSON.parse(readFileSync(file, "utf8")) as Golden<Spec>;
  if (process.env.GOLDEN === "write") fillIn(file, golden, make);
  test(`${title}: ${name}.json is of this stream version`, () => expect(golden.stream).toBe(STREAM_VERSION));
  test.each(Object.entries(golden.cases))(`${title}: %s`, (_, { spec, gives }) => {
    expect(asJson(make(spec))).toEqual(gives);
  });
}

function fillIn<Spec>(file: URL, { stream, cases }: Golden<Spec>, make: (spec: Spec) => unknown): void {
  const filled = Object.entries(cases).map(([title, { spec, gives }]) => {
    const kept = stream === STREAM_VERSION ? gives : undefined;
    return [title, { spec, gives: kept ?? make(spec) }];
  });
  writeFileSync(file, JSON.stringify({ stream: STREAM_VERSION, cases: Object.fromEntries(filled) }));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** sha256 of u32 or i32, little-endian. */
export function digestOf(words: ArrayLike<number>): string {
  const bytes = Buffer.alloc(words.length * 4);
  for (let i = 0; i < words.length; i++) bytes.writeUInt32LE(words[i] >>> 0, i * 4);
  return createHash("sha256").update(bytes).digest("hex");
}
