import { error, fail } from "../../errors/index.js";
import { Sha256 } from "../../sha256.js";
import type { Claim } from "../kernel.js";
import { LEVELS } from "../parse.js";
import type { ObjectFiles, ObjectTexts } from "../types.js";

/** What a snapshot keeps of objects. */
export interface ObjectState {
  /** SHA-256 of the edit files, hexadecimal. */
  readonly files: string;
  /** Which artifacts were made. */
  readonly made: readonly Claim[];
}

/**
 * SHA-256 of edit files, each with its length before it, and of the affix levels where they are not the usual ones;
 * hexadecimal. Cost: some 10 ns a byte.
 */
export function digestOf(texts: ObjectTexts, levels: readonly string[] = LEVELS): string {
  const encoder = new TextEncoder();
  const sha = new Sha256();
  const files = [texts.object, texts.objectBase, texts.egoItem, texts.egoThemes, texts.artifact, texts.flags];
  const own = levels.join("\n");
  for (const text of own === LEVELS.join("\n") ? files : [...files, own]) {
    const bytes = encoder.encode(text ?? "");
    sha.update(encoder.encode(`${text === undefined ? "none" : bytes.length}\n`));
    sha.update(bytes);
  }
  return sha.hex();
}

/**
 * Reads what a snapshot keeps of objects; undefined where it keeps nothing.
 *
 * @throws RollmillError `snapshot.invalid` where it is damaged, or of other edit files.
 */
export function parseObjectState(value: unknown, files: ObjectFiles, digest: () => string): ObjectState | undefined {
  if (value === undefined) return undefined;
  const damaged = (got?: unknown) => {
    const expected = "one as snapshot() makes it";
    return fail(error("snapshot.invalid", { problem: "the snapshot is damaged", got, expected }));
  };
  if (!isState(value)) return damaged();
  const own = digest();
  if (value.files === own) {
    const known = new Set(files.artifacts.map(({ number }) => number));
    const stranger = value.made.find(({ artifact }) => !known.has(artifact));
    return stranger === undefined ? value : damaged(`artifact ${stranger.artifact}, which the files do not have`);
  }
  return fail(
    error("snapshot.invalid", {
      problem: "the snapshot is of objects from other edit files",
      got: `files of SHA-256 ${value.files.slice(0, 12)}…`,
      expected: `${own.slice(0, 12)}…`,
      remedy: "Use the files that it was taken with, or a new mill",
    }),
  );
}

function isState(value: unknown): value is ObjectState {
  if (typeof value !== "object" || value === null) return false;
  const { files, made } = value as Record<string, unknown>;
  const isIndex = (number: unknown, most: number) =>
    Number.isInteger(number) && Number(number) >= 0 && Number(number) < most;
  const isClaim = (claim: unknown): claim is Claim => {
    const { artifact, object } = (claim ?? {}) as Record<string, unknown>;
    return isIndex(artifact, 2 ** 16) && isIndex(object, 2 ** 32);
  };
  if (typeof files !== "string" || !Array.isArray(made) || !made.every(isClaim)) return false;
  // each is made once
  return new Set(made.map(({ artifact }) => artifact)).size === made.length;
}
