import { error, type Finding, fail, RollmillError } from "../../errors/index.js";
import { sha256 } from "../../sha256.js";
import { type Field, type Shape, SpecReader, specOf } from "../../spec/index.js";
import type { FolderStore } from "./store.js";

const REPAIR = "Run `rollmill job verify --repair` with the folder of the job";

/** Writes a value as JSON. Its last field `sha256` is the SHA-256 of the JSON without this field. */
export function putChecked(store: FolderStore, name: string, value: object): void {
  store.put(name, [Buffer.from(checkedText(value))]);
}

export function checkedText(value: object): string {
  return jsonOf({ ...value, sha256: checksumOf(value) });
}

export function checksumOf(value: object): string {
  return hashOf(jsonOf(value));
}

const CHECKSUM = /^,\n {2}"sha256": "([0-9a-f]{64})"\n\}\n$/;
const CHECKSUM_BYTES = 83;

/** Undefined if there is no such file. Everybody can make a checksum, so check the value with {@link parseData}. */
export function readChecked(store: FolderStore, name: string, remedy?: string): object | undefined {
  const bytes = store.get(name);
  if (bytes === undefined) return undefined;
  const end = Math.max(0, bytes.length - CHECKSUM_BYTES);
  const [, hash] = CHECKSUM.exec(Buffer.from(bytes.subarray(end)).toString("latin1")) ?? [];
  const hashed = Buffer.concat([bytes.subarray(0, end), Buffer.from("\n}\n")]);
  const value = hashOf(hashed) === hash ? jsonIn(hashed) : undefined;
  return typeof value === "object" && value !== null ? value : failDamaged(store, name, { remedy });
}

export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Parses the value of a file. Throws `job.damaged` with every flaw. */
export function parseData<Spec extends object>(
  { store, name, remedy = REPAIR }: { readonly store: FolderStore; readonly name: string; readonly remedy?: string },
  value: unknown,
  parse: (reader: SpecReader, root: Field) => Spec,
): Spec {
  const reader = new SpecReader({ noun: name, code: "job.damaged", file: `${store.place}/${name}`, remedy });
  return specOf(reader.run(value, (root) => parse(reader, root)));
}

export function failDamaged(
  store: FolderStore,
  name: string,
  {
    problem = "the file is damaged: its checksum does not match",
    remedy = REPAIR,
  }: Partial<Pick<Finding, "problem" | "remedy">> = {},
): never {
  return fail(error("job.damaged", { problem, remedy, where: { file: `${store.place}/${name}` } }));
}

/** Undefined if `read` throws `job.damaged`. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.damaged") return undefined;
    throw cause;
  }
}

export function checkEqual(reader: SpecReader, at: Field, expected: string, problem: string): void {
  if (at.value !== expected) reader.report(at, { problem, got: at.value, expected });
}

export function matching(pattern: RegExp, expected: string): Shape<string, string> {
  const read = (reader: SpecReader, at: Field): string => {
    if (typeof at.value === "string" && pattern.test(at.value)) return at.value;
    reader.report(at, { problem: `invalid ${at.name}`, got: at.value, expected });
    return "";
  };
  return { read, json: {} };
}

/** A text of any length. */
export const ANY_TEXT = matching(/^/, "a text");
export const HASH = matching(/^[0-9a-f]{64}$/, "64 hexadecimal digits");

export function hashOf(bytes: string | Uint8Array): string {
  return sha256()
    .update(typeof bytes === "string" ? Buffer.from(bytes) : bytes)
    .hex();
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
