// What the page shows, as plain data. A link has all of it, and undo goes back to an earlier one.

export type Files = Readonly<Record<string, string>>;

export interface Document {
  readonly files: Files;
  /** The file whose noun is shown. */
  readonly file: string;
  readonly seed: string;
  /** What the view of this file remembers, such as the middle of a map. */
  readonly view: Readonly<Record<string, string | number>>;
}

const MAX_FILES = 64;
const MAX_NAME = 200;

/** Returns the document if a value is one, such as the value of a link. */
export function documentIn(value: unknown): Document | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { files, file, seed, view } = value as Readonly<Record<string, unknown>>;
  if (typeof file !== "string" || typeof seed !== "string" || !isRecord(files) || !isRecord(view)) return undefined;
  const names = Object.keys(files);
  const isShown = names.length > 0 && names.length <= MAX_FILES && Object.hasOwn(files, file);
  const isValid = names.every((name) => isFileName(name) && typeof files[name] === "string");
  const isPlain = Object.values(view).every((one) => typeof one === "string" || Number.isFinite(one));
  return isShown && isValid && isPlain ? (value as Document) : undefined;
}

/** A path of a file, which stays inside its folder. */
export function isFileName(name: string): boolean {
  const parts = name.split("/");
  return name.length <= MAX_NAME && !/[\\\p{Control}]/u.test(name) && parts.every((part) => !/^\.{0,2}$/.test(part));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export function stemOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
}
