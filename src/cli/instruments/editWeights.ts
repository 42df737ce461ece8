import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { error, type Finding, fail } from "../../errors/index.js";
import type { Balanced, BalancedList } from "../../instruments/index.js";
import type { TableSpec } from "../../tables/index.js";
import type { parseListText } from "../shared/listText.js";
import { jsonIn } from "../shared/texts.js";

/** Where a file has a weight: in a line of text, or in JSON. Lines and columns count from 1, columns in characters. */
type Place = { readonly line: number; readonly column: number } | { readonly path: readonly (string | number)[] };

interface Edit {
  readonly place: Place;
  readonly weight: number;
}

type List = Pick<ReturnType<typeof parseListText>, "csv" | "input" | "spec">;

/** Returns the text of a list with the new weights. Every other character stays as it is. */
export function listWith({ weights }: BalancedList, { csv, input, spec }: List, text: string): string {
  const placeOf = (i: number): Place => {
    if (csv === undefined) return { path: Array.isArray(input) ? [i, "weight"] : [spec?.labels[i] ?? ""] };
    const { cells, line } = csv.entries[i];
    return cells.get("weight") ?? { line, column: Number.MAX_SAFE_INTEGER };
  };
  return withWeights(
    text,
    weights.map((weight, i) => ({ place: placeOf(i), weight })),
  );
}

/** Returns the text of a table with the new weights. Every other character stays as it is. */
export function tableWith(
  balanced: Balanced,
  spec: TableSpec,
  source: { readonly text: string; readonly file: string },
): string {
  return withWeights(source.text, tableEdits(spec, balanced, source));
}

/** Returns edits of all weights of each changed row: if some weights are decimal, all are scaled to integers. */
function tableEdits(
  spec: TableSpec,
  { changed }: Balanced,
  source: { readonly text: string; readonly file: string },
): Edit[] {
  const rows = new Set(changed.map(({ row = 0 }) => row));
  const input = /\.json$/i.test(source.file) ? jsonIn(source.text, source.file) : undefined;
  return [...rows].flatMap((row) => {
    const other = spec.linked?.findLast(({ first }) => first <= row);
    if (other !== undefined) {
      const remedy = `Balance ${other.file} by itself, or omit -o`;
      refuse("a weight that changes is in a file that the table jumps to", {
        got: other.file,
        expected: source.file,
        remedy,
      });
    }
    const { label, line, lines, places = [], columns } = spec.rows[row];
    return columns.flatMap(({ weight }, column): Edit[] => {
      if (typeof weight !== "number") return [];
      const { after = weight } = changed.find((one) => one.row === row && one.column === column) ?? {};
      const list = (input as { readonly rows?: unknown } | undefined)?.rows;
      const path = Array.isArray(list)
        ? ["rows", row, "columns", column, "weight"]
        : ["rows", label ?? row, column, "weight"];
      const place =
        input === undefined ? { line: lines?.[column] ?? line ?? 0, column: places[2 * column + 1] } : { path };
      return [{ place, weight: after }];
    });
  });
}

function withWeights(text: string, edits: readonly Edit[]): string {
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

function refuse(problem: string, finding: Omit<Finding, "problem">): never {
  return fail(error("cli.usage", { problem, ...finding }));
}
