import {
  type Field,
  type InputOf,
  integer,
  isBlank,
  list,
  namedValues,
  optional,
  record,
  type SpecReader,
  shape,
  TEXT,
  unread,
} from "../../spec/index.js";

/** Largest tier. */
export const MAX_TIER = 255;
export const MAX_ROWS = 1_000_000;
export const WORD_STATUSES = ["accepted", "proposed", "rejected"] as const;
/** The status of a word. Recipes use accepted words only. */
export type WordStatus = (typeof WORD_STATUSES)[number];

export const CELLS = record(
  {
    /** An integer above 0, unique in its table. Rows are ordered by id, whatever their order in the file. */
    id: integer({ least: 1, most: Number.MAX_SAFE_INTEGER }),
    /**
     * The word, unique in its table: 1 to 256 characters without control characters, at least one of them visible. A
     * character is a code point of Unicode. Words are compared exactly.
     */
    word: shape<string, string>(readWord, TEXT),
    /**
     * True, false, 1 or 0. Only active words are picked at random. A request may name an inactive one. Default true.
     */
    active: optional(shape<boolean | 0 | 1, boolean>(readActive, { enum: [true, false, 0, 1] }), true),
    /**
     * `proposed` for a word that a user proposed, `rejected` for a word that was rejected. A recipe skips such rows and
     * does not check them. The commands `recipe word` and `recipe tables` check them, too. Default `accepted`.
     */
    status: optional(
      shape<WordStatus, WordStatus>((reader, at) => reader.choice(at, WORD_STATUSES), { const: "accepted" }),
      "accepted",
    ),
    /** The tier of the word, for slots with tiers, 0 … 255. Default 0. */
    tier: optional(integer({ least: 0, most: MAX_TIER }), 0),
    /** The person who proposed the word. */
    proposer: optional(unread<string>({})),
    /** The time of the proposal, in ISO 8601 and UTC, such as `2026-11-22T06:00:00.000Z`. */
    proposed: optional(unread<string>({})),
  },
  { additionalProperties: { type: "number" } },
);
export const ROW_KEYS: readonly string[] = CELLS.keys;
/**
 * A row of a word table. An additional key is the recipe's weight column, or a stat with the number that the word adds
 * to it. A recipe uses only rows with the status "accepted", which is the default.
 */
export interface WordInput extends InputOf<typeof CELLS> {
  readonly [stat: string]: unknown;
}

const UNREAD = { required: ["status"], properties: { status: { enum: ["proposed", "rejected"] } } };
export const ROW = unread<WordInput>({ type: "object", oneOf: [UNREAD, CELLS] });
export const ROWS = list(ROW, { most: MAX_ROWS, of: "rows" });
export const TABLES = namedValues(unread<readonly WordInput[]>(ROWS));
/** The rows of each word table, by table name. */
export interface TablesInput extends InputOf<typeof TABLES> {}

function readWord(reader: SpecReader, at: Field): string {
  const word = TEXT.read(reader, at);
  if (word === "" || !isBlank(word)) return word;
  reader.report(at, { problem: "a word is blank", got: word, expected: "a word with a visible character" });
  return "";
}

function readActive(reader: SpecReader, at: Field): boolean {
  const { value } = at;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value === "boolean") return value;
  reader.report(at, { problem: 'invalid "active"', got: value, expected: "true, false, 1 or 0" });
  return false;
}
