import { type ForkId, plainId, STREAM_VERSION } from "../address.js";
import { type Io, json, write } from "./io.js";

/** The first fields of a JSON document. They show which command made the data, and from which seed and name. */
export interface Head {
  readonly command: string;
  /** The seed, chosen by the user or at random. Null if the data do not depend on a seed. */
  readonly seed: string | null;
  readonly name: string;
  readonly fork?: readonly ForkId[] | undefined;
  /** Index of the first result. Undefined if the data are not a list of results. */
  readonly from?: number | undefined;
  /** The time that a script read from the clock. Undefined if no script did this. */
  readonly now?: string | undefined;
}

/**
 * Yields a JSON document: the stream version, the fields of the head, then the data. All commands use this format for
 * `--json` and for `-o FILE.json`.
 *
 * @param data - pieces of one JSON value.
 * @param after - returns fields that are known only after the last piece.
 */
export function* documentOf(
  { fork = [], ...head }: Head,
  data: Iterable<string>,
  after: () => object = () => ({}),
): Generator<string, void> {
  const { command, seed, name, from, now } = head;
  const forks = fork.length === 0 ? undefined : fork.map(plainId);
  const fields = { stream: STREAM_VERSION, command, seed, name, forks, from, now };
  yield `${JSON.stringify(fields).slice(0, -1)},"data":`;
  yield* data;
  const last = JSON.stringify(after()).slice(1);
  yield `${last === "}" ? "" : ","}${last}\n`;
}

/** Returns the JSON document of one value. A bigint in the value becomes a decimal string. */
export function documentText(head: Head, data: unknown): string {
  return [...documentOf(head, [json(data)])].join("");
}

/** Prints the JSON document of one value. */
export async function printDocument(io: Io, head: Head, data: unknown): Promise<void> {
  await write(io, documentText(head, data));
}

/** Prints the JSON document of a list. Writes each batch of results before the next batch is made. */
export async function printList(
  io: Io,
  head: Head,
  batches: Iterable<Iterable<unknown>>,
  after?: () => object,
): Promise<void> {
  for (const piece of documentOf(head, listOf(batches), after)) await write(io, piece);
}

function* listOf(batches: Iterable<Iterable<unknown>>): Generator<string, void> {
  let before = "[";
  for (const batch of batches) {
    const results = JSON.stringify([...batch]).slice(1, -1);
    if (results === "") continue;
    yield before + results;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
