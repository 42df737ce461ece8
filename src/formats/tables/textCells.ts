import type { PhraseColumn, PhraseSegment, TextColumn } from "./columns.js";

/** Writes the cells of a text or phrase column as UTF-8 bytes, without a string for each cell. */
export interface TextCells {
  /** Maximum number of bytes in a cell. */
  readonly mostBytes: number;
  /** Writes a cell, and returns the offset after it. `out` must have room for `mostBytes` more bytes. */
  write(row: number, out: Uint8Array, offset: number): number;
}

/** Returns the cells of the rows `from` … `to` − 1. In the result, row `from` is row 0. */
export function textCells(column: TextColumn | PhraseColumn, from: number, to: number): TextCells {
  if (column.kind === "phrase") return phraseCells(column.segments, from, to);
  const texts = column.values.slice(from, to);
  return { mostBytes: mostBytesOf(texts), write: (row, out, offset) => writeText(texts[row], out, offset) };
}

/** One UTF-16 unit needs at most this many bytes in UTF-8. */
const MAX_UTF8 = 3;
const encoder = new TextEncoder();

/** Writes a text, and returns the offset after it. An unpaired surrogate becomes U+FFFD. */
export function writeText(text: string, out: Uint8Array, offset: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return offset + encoder.encodeInto(text, out.subarray(offset)).written;
    out[offset + i] = unit;
  }
  return offset + text.length;
}

export function mostBytesOf(texts: readonly (string | null)[]): number {
  return MAX_UTF8 * texts.reduce((most, text) => Math.max(most, text === null ? 0 : text.length), 0);
}

/** Encodes each text once. `write` skips blank segments at both ends, and trims the remaining text at both ends. */
function phraseCells(segments: readonly PhraseSegment[], from: number, to: number): TextCells {
  const { bytes, offsets } = encodeSegments(segments);
  let before = 0;
  // `encodeSegments` numbers the texts of all segments consecutively
  const indices = segments.map((segment) => {
    const own = new Uint32Array(segment.indices.subarray(from, to));
    for (let row = 0; row < own.length; row++) own[row] += before;
    before += segment.texts.length;
    return own;
  });
  const write = (row: number, out: Uint8Array, offset: number) => {
    let first = 0;
    let last = indices.length - 1;
    while (first <= last && isBlank(offsets, indices[first][row])) first++;
    while (last > first && isBlank(offsets, indices[last][row])) last--;
    let end = offset;
    for (let segment = first; segment <= last; segment++) {
      const entry = 4 * indices[segment][row];
      const until = segment === last ? offsets[entry + 2] : offsets[entry + 3];
      for (let i = segment === first ? offsets[entry + 1] : offsets[entry]; i < until; i++) out[end++] = bytes[i];
    }
    return end;
  };
  return { mostBytes: segments.reduce((sum, { texts }) => sum + mostBytesOf(texts), 0), write };
}

function isBlank(offsets: Uint32Array, text: number): boolean {
  return offsets[4 * text + 1] === offsets[4 * text + 2];
}

/** Returns the bytes, and four offsets for each text: its start, the start and the end of its trimmed part, its end. */
function encodeSegments(segments: readonly PhraseSegment[]) {
  const texts = segments.flatMap((segment) => segment.texts);
  const bytes = new Uint8Array(texts.reduce((sum, { length }) => sum + MAX_UTF8 * length, 0));
  const offsets = new Uint32Array(4 * texts.length);
  let end = 0;
  for (const [i, text] of texts.entries()) {
    const begin = end;
    const inner = text.trim();
    const innerBegin = writeText(inner === "" ? "" : text.slice(0, text.indexOf(inner)), bytes, begin);
    const innerEnd = writeText(inner, bytes, innerBegin);
    end = writeText(text, bytes, begin);
    offsets.set([begin, innerBegin, innerEnd, end], 4 * i);
  }
  return { bytes: bytes.slice(0, end), offsets };
}
