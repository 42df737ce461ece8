// What the worker needs of a document to open its noun.

import type { Document, Files } from "../document.js";

export interface Source {
  readonly files: Files;
  readonly file: string;
  readonly seed: string;
  /** The entries of the view that change the results, such as the depth of objects. */
  readonly options?: Document["view"];
}

export function isSame(a: Source, b: Source): boolean {
  return (
    a.file === b.file && a.seed === b.seed && hasSame(a.files, b.files) && hasSame(a.options ?? {}, b.options ?? {})
  );
}

function hasSame(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return a === b || (names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]));
}
