import type { EditField } from "../../formats/editFile.js";
import { meant, type Place, reportAt } from "./report.js";

/** Affixes by name and number, for the lines that name one. */
export class AffixNames {
  readonly #byName: ReadonlyMap<string, number>;
  readonly #numbers: ReadonlySet<number>;

  constructor(affixes: Iterable<{ readonly number: number; readonly name: string }>) {
    const all = [...affixes];
    this.#byName = new Map(all.map(({ name, number }) => [name, number]));
    this.#numbers = new Set(this.#byName.values());
  }

  /** Reads an affix by name or number: its number; undefined, and reported, where there is none. */
  read(at: Place, field: EditField): number | undefined {
    const number = this.#byName.get(field.text) ?? (/^\d{1,5}$/.test(field.text) ? Number(field.text) : undefined);
    if (number !== undefined && this.#numbers.has(number)) return number;
    reportAt(at, field, "object.name", {
      problem: "there is no such affix",
      got: field.text,
      expected: "the name or the number of an affix",
      ...meant(field.text, this.#byName.keys(), "Declare it, or name another"),
    });
    return undefined;
  }
}
