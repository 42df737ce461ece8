import {
  type InputOf,
  integer,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  unread,
} from "../../spec/index.js";
import { LABELLED, type LabelledInput, readLabels } from "../parse.js";
import type { LabelledSpec, Listable, WeightedOptions } from "../types.js";

const MAX_WITHIN = 100;

const NO_REPEATS = record({
  /**
   * A labelled list, or an open table. It needs more results of positive weight than `within`. Nothing, null, is a
   * result too.
   */
  list: unread<LabelledInput | Listable>(LABELLED),
  /** How many of the last results a pick leaves out, 1 … 100. Default 1. */
  within: optional(integer({ least: 1, most: MAX_WITHIN, code: "argument.range" }), 1),
});
/** A list without repeats. */
export interface NoRepeatsInput extends InputOf<typeof NO_REPEATS> {}

/** A parsed list without repeats. `Input` is the type of the parsed input. */
export interface NoRepeatsSpec<Input = unknown> {
  readonly list: LabelledSpec;
  readonly within: number;
  /** Never set. It only carries the type `Input`. */
  readonly input?: Input;
}

/**
 * Reads a list without repeats. Cost: O(entries).
 *
 * Error cases: those of `parseLabels`, with paths inside the list; `weights.empty` (too few results of positive
 * weight), `argument.range` (`within` outside 1 … 100), `argument.type`.
 */
export function parseNoRepeats<const Input>(input: Input, options: WeightedOptions = {}): Parsed<NoRepeatsSpec<Input>> {
  const { file } = readOptions("parseNoRepeats", options, ["file"]);
  const reader = new SpecReader({ noun: "noRepeats", code: "argument.type", file, isDocument: true });
  return reader.run(input, (root) => {
    const { list: at, within } = NO_REPEATS.read(reader, root);
    const list = readLabels(reader, at, options);
    const got = new Set(list.labels.filter((_, entry) => list.weights[entry] > 0)).size;
    if (reader.errors === 0 && got <= within) {
      const problem = "too few results of positive weight";
      const expected = `at least ${within + 1}, because the last ${within} are left out`;
      const remedy = "Add results, or choose a smaller `within`";
      reader.report(at, { problem, got, expected, remedy }, "weights.empty");
    }
    return { list, within };
  });
}
