import fc from "fast-check";

/** A document with one change. */
export interface Change {
  readonly document: unknown;
  /** The place of the change, such as `layers[0].steps`. */
  readonly path: string;
  /** Another type, another number, another text, an unknown key or a missing key. */
  readonly kind: "type" | "number" | "text" | "extra" | "missing";
}

type Keys = readonly (string | number)[];

const TYPES = [null, true, 7, "text", [], {}];
const NUMBERS = [-1, 0, 0.5, 1, 300, 1e300, -1e300, 2 ** 53];
const TEXTS = ["", "other", "a\nb", "x".repeat(257)];

/** Returns documents with one random change. */
export function changeOf(documents: readonly unknown[]): fc.Arbitrary<Change> {
  const places = documents.flatMap((document) => placesOf(document).map((keys) => ({ document, keys })));
  return fc.constantFrom(...places).chain(({ document, keys }) => fc.constantFrom(...changesAt(document, keys)));
}

/** Every place of a document but the document itself and its schema. */
function placesOf(value: unknown): readonly Keys[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return name === "$schema" ? [] : [[key], ...placesOf(part).map((keys) => [key, ...keys])];
  });
}

function changesAt(document: unknown, keys: Keys): readonly Change[] {
  const value = keys.reduce((part: unknown, key) => Reflect.get(part as object, key), document);
  const to = (kind: Change["kind"], values: readonly unknown[]) =>
    values.map((other) => ({ document: changed(document, keys, () => other), path: pathOf(keys), kind }));
  return [
    ...to(
      "type",
      TYPES.filter((other) => typeOf(other) !== typeOf(value)),
    ),
    ...(typeof value === "number" ? to("number", NUMBERS) : []),
    ...(typeof value === "string" ? to("text", TEXTS) : []),
    ...(typeof keys.at(-1) === "string"
      ? [{ document: without(document, keys), path: pathOf(keys), kind: "missing" } as const]
      : []),
    ...(typeOf(value) === "object"
      ? [
          {
            document: changed(document, keys, (old) => ({ ...(old as object), unknown: 5 })),
            path: pathOf([...keys, "unknown"]),
            kind: "extra",
          } as const,
        ]
      : []),
  ];
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

/** Returns a copy of a document with another value at a place. */
function changed(value: unknown, [key, ...rest]: Keys, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const part = changed(Reflect.get(value as object, key), rest, change);
  if (Array.isArray(value)) return value.with(Number(key), part);
  return { ...(value as object), [key]: part };
}

function without(document: unknown, keys: Keys): unknown {
  const last = keys.at(-1);
  return changed(document, keys.slice(0, -1), (old) =>
    Object.fromEntries(Object.entries(old as object).filter(([key]) => key !== last)),
  );
}

/** Writes a path as issues do. */
function pathOf(keys: Keys): string {
  return keys.reduce<string>(
    (path, key) => (typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`),
    "",
  );
}
