// A link has the whole document. Whatever a link contains, it gives a document or a sentence.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Document, documentIn } from "../../workbench/src/document.js";
import { documentOf, linkOf } from "../../workbench/src/link.js";

const RUNS = { numRuns: 1000 };
const names = fc.uniqueArray(fc.constantFrom("a.csv", "b.json", "hoard/object.txt", "ü n.2da"), { minLength: 1 });
const documents = names.chain((all) =>
  fc.record<Document>({
    files: fc.tuple(...all.map(() => fc.string({ unit: "grapheme" }))).map((texts) => {
      return Object.fromEntries(all.map((name, i) => [name, texts[i]]));
    }),
    file: fc.constantFrom(...all),
    seed: fc.string({ unit: "grapheme" }),
    view: fc.dictionary(fc.constantFrom("row", "col", "level"), fc.oneof(fc.integer(), fc.string())),
  }),
);

describe("a link", () => {
  test("gives back the document", () =>
    fc.assert(
      fc.asyncProperty(documents, async (document) => {
        expect(await documentOf(await linkOf(document))).toEqual(document);
      }),
      RUNS,
    ));

  test("that is damaged gives a document or a sentence", () =>
    fc.assert(
      fc.asyncProperty(documents, fc.nat(), fc.constantFrom("A", "-", "_", "", "AAAA"), async (document, at, put) => {
        const link = await linkOf(document);
        const place = at % link.length;
        const found = await documentOf(link.slice(0, place) + put + link.slice(place + 1));
        if ("problem" in found) expect(found.problem).toMatch(/^\p{Lu}.*\.$/u);
        else expect(documentIn(found)).toBe(found);
      }),
      RUNS,
    ));

  test("that would fill the memory is refused", async () => {
    const document = { files: { "a.csv": " ".repeat(2 ** 23) }, file: "a.csv", seed: "1", view: {} };
    expect(await documentOf(await linkOf(document))).toEqual({ problem: expect.stringContaining("4 MB") });
  });

  test.each([
    ["", "no document"],
    ["#b9.AAAA", "damaged"],
    ["#a2.", "damaged"],
    [`#a2.${"A".repeat(100)}`, "damaged"],
  ])("%j is refused", async (hash, problem) => {
    expect(await documentOf(hash)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test("of another version says so", async () => {
    const link = await linkOf({ files: { "a.csv": "" }, file: "a.csv", seed: "1", view: {} });
    expect(await documentOf(link.replace("a2", "a3"))).toEqual({ problem: expect.stringContaining("a3") });
  });
});

test.each([
  [{ files: {}, file: "a", seed: "", view: {} }],
  [{ files: { "../a": "" }, file: "../a", seed: "", view: {} }],
  [{ files: { "a/../b": "" }, file: "a/../b", seed: "", view: {} }],
  [{ files: { a: 7 }, file: "a", seed: "", view: {} }],
  [{ files: { a: "" }, file: "b", seed: "", view: {} }],
  [{ files: { a: "" }, file: "toString", seed: "", view: {} }],
  [{ files: { a: "" }, file: "a", seed: 7, view: {} }],
  [{ files: { a: "" }, file: "a", seed: "", view: { row: [] } }],
  [null],
])("%j is no document", (value) => expect(documentIn(value)).toBeUndefined());
