import { error, fail } from "../errors/index.js";
import { sha256 } from "../sha256.js";
import type { JobStore } from "./store/types.js";

/**
 * Returns a value as JSON with its own checksum: the last field `sha256` is the SHA-256 of the JSON without this field.
 */
export function sealedText(value: object): string {
  return jsonOf({ ...value, sha256: hashOf(jsonOf(value)) });
}

/**
 * Reads JSON that {@link sealedText} made. Every changed byte is damage, even a changed space.
 *
 * @param remedy - For the error: what a user can do. Default: `rollmill job verify --repair`.
 * @returns the value without the field `sha256`; undefined if there is no such file.
 * @throws RollmillError `job.damaged`.
 */
export function readSealed(
  store: JobStore,
  name: string,
  remedy?: string,
): Readonly<Record<string, unknown>> | undefined {
  const bytes = store.get(name);
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes).toString("utf8");
  const value = parsed(text);
  if (value !== undefined) {
    const { sha256: _, ...rest } = value;
    if (sealedText(rest) === text) return rest;
  }
  return failDamaged(store, name, remedy);
}

/** Throws the error for a damaged file of a job. */
export function failDamaged(
  store: JobStore,
  name: string,
  remedy = "Run `rollmill job verify --repair` with the folder of the job",
): never {
  const where = { file: `${store.place}/${name}` };
  return fail(error("job.damaged", { problem: "the file is damaged: its checksum does not match", remedy, where }));
}

export function hashOf(bytes: string | Uint8Array): string {
  return sha256()
    .update(typeof bytes === "string" ? Buffer.from(bytes) : bytes)
    .hex();
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
