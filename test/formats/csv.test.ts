import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CsvPlaces,
  type CsvRecord,
  fromSafeText,
  parseCsv,
  safeText,
  separatorOf,
} from "../../src/formats/read/csv.js";

function read(text: string): { readonly records: CsvRecord[]; readonly isValid: boolean } {
  const records: CsvRecord[] = [];
  const flaw = parseCsv(text, (record) => {
    records.push(record);
    return true;
  });
  return { records, isValid: flaw === undefined };
}

/** The cells that an independent reader finds; undefined if it refuses the text. */
function expected(text: string): string[][] | undefined {
  try {
    const options = { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true };
    return (parse(text, options) as string[][]).filter((cells) => cells.length > 1 || cells[0] !== "");
  } catch {
    return undefined;
  }
}

const parts = fc.array(fc.constantFrom('"', '""', ",", "\n", "\r\n", "\r", "a", " ", "é🗡", '"a"', '"b,\n""c"'), {
  maxLength: 30,
});

describe("parseCsv", () => {
  test("finds what an independent reader finds", () => {
    fc.assert(
      fc.property(parts, (list) => {
        const text = list.join("");
        const { records, isValid } = read(text);
        const wanted = expected(text);
        expect(isValid).toBe(wanted !== undefined);
        if (wanted !== undefined) expect(records.map(({ cells }) => cells)).toEqual(wanted);
      }),
      { seed: 20441, numRuns: 3000 },
    );
  });

  test("gives the offset of each record and cell", () => {
    fc.assert(
      fc.property(parts, (list) => {
        const text = list.join("");
        const places = new CsvPlaces(text);
        for (const { cells, offset } of read(text).records) {
          const offsets = cells.map((_, k) => places.cellOffset(offset, k));
          expect(offsets[0]).toBe(offset);
          for (const [k, at] of offsets.entries()) {
            expect(k === 0 || text[at - 1] === ",").toBe(true);
            const [first] = read(text.slice(at)).records;
            if (cells[k] !== "") expect(first.cells[0]).toBe(cells[k]);
            const before = text.slice(0, at).split(/\r\n|\n|\r/);
            expect(places.placeAt(at)).toEqual({ line: before.length, column: (before.at(-1) ?? "").length + 1 });
          }
        }
      }),
      { seed: 20442 },
    );
  });

  test.each([";", "\t"] as const)("another separator, %j, splits as a comma does (first hour 9)", (separator) => {
    for (const list of fc.sample(parts, { seed: 20444, numRuns: 500 })) {
      const text = list.join("");
      const swapped = text.replaceAll(",", separator);
      const records: (readonly string[])[] = [];
      const flaw = parseCsv(swapped, ({ cells }) => records.push(cells) > 0, separator);
      const wanted = read(text);
      expect(flaw === undefined).toBe(wanted.isValid);
      expect(records).toEqual(wanted.records.map(({ cells }) => cells.map((cell) => cell.replaceAll(",", separator))));
    }
    expect(separatorOf(`a${separator}b\nc,d`)).toBe(separator);
    expect(separatorOf(`a${separator}b,c`)).toBe(",");
  });

  test("stops when no more records are needed", () => {
    const seen: string[] = [];
    const flaw = parseCsv('a\nb\nc"\n', ({ cells }) => seen.push(cells[0]) < 2);
    expect([seen, flaw]).toEqual([["a", "b"], undefined]);
  });
});

test("safeText is undone exactly, and no spreadsheet runs its result", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("", "'", "''"),
      fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "a", "-5"),
      fc.string(),
      (quotes, start, rest) => {
        const text = `${quotes}${start}${rest}`;
        expect(fromSafeText(safeText(text))).toBe(text);
        if (Number.isNaN(Number(text))) expect(safeText(text)).not.toMatch(/^[=+\-@\t\r\n]./s);
      },
    ),
    {
      seed: 20443,
    },
  );
});
