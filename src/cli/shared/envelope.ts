import { type ForkId, plainId, STREAM_VERSION } from "../../address.js";
import { type Io, json, write } from "./io.js";

/** They show which command made the data, and from which seed and name. */
export interface Head {
  readonly command: string;
  /** Null if the data do not depend on a seed. */
  readonly seed: string | null;
  readonly name: string;
  readonly fork?: readonly ForkId[] | undefined;
  readonly from?: number | undefined;
  /** The time that a script read from the clock. */
  readonly now?: string | undefined;
}

/**
 * Yields a JSON document, for `--json` and `-o FILE.json`: the stream version, the head, then `data`, which are pieces
 * of one JSON value. `after` returns fields that are known only after the last piece.
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

export function documentText(head: Head, data: unknown): string {
  return [...documentOf(head, [json(data)])].join("");
}

export async function printDocument(io: Io, head: Head, data: unknown): Promise<void> {
  await write(io, documentText(head, data));
}

/** Writes each batch of results before the next one is made. */
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
