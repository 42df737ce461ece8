import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { refuse } from "../shared/io.js";

/** Where a file has a weight: in a line of text, or in JSON. Lines and columns count from 1, columns in characters. */
type Place = { readonly line: number; readonly column: number } | { readonly path: readonly (string | number)[] };

export interface Edit {
  readonly place: Place;
  readonly weight: number;
}

/** Replaces weights in the text of a file. Every other character stays as it is. */
export function withWeights(text: string, edits: readonly Edit[]): string {
  const tree = edits.some(({ place }) => "path" in place) ? parseTree(text) : undefined;
  const lines = lineStarts(text);
  const spans = edits.map(({ place, weight }) => {
    const [start, length] = "path" in place ? valueSpan(tree, place.path) : cellSpan(text, lines, place);
    return { start, length, weight };
  });
  let edited = text;
  // from the end, so that the earlier spans stay valid
  for (const { start, length, weight } of spans.sort((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + String(weight) + edited.slice(start + length);
  }
  return edited;
}

type Span = readonly [start: number, length: number];

function valueSpan(tree: ReturnType<typeof parseTree>, path: readonly (string | number)[]): Span {
  const node = tree && findNodeAtLocation(tree, [...path]);
  return node ? [node.offset, node.length] : refuseMissing(path.join("."));
}

function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)];
}

/** Returns the place of a cell's text, without quotes, separators and spaces, which no weight has. */
function cellSpan(text: string, lines: readonly number[], { line, column }: { line: number; column: number }): Span {
  const start = lines[line - 1];
  const before = [...text.slice(start, lines[line])].slice(0, column - 1).join("").length;
  const cell = /[^\s,;"]+/g;
  cell.lastIndex = start + before;
  const found = cell.exec(text);
  return found && found.index < (lines[line] ?? text.length)
    ? [found.index, found[0].length]
    : refuseMissing(`line ${line}`);
}

function refuseMissing(place: string): never {
  const remedy = "Write a weight, such as 1, for each entry first";
  return refuse("an entry whose weight changes has no weight in the file", {
    got: place,
    expected: "a weight",
    remedy,
  });
}
