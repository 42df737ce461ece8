// Plan files from words.
import { crc32 } from "../../src/formats/bytes.js";

export type Words = readonly number[];

/** A text as a plan file has it: its bytes, then zeros up to a whole word, at least one. */
export function textWords(text: string): Words {
  const bytes = new Uint8Array(Math.floor(text.length / 4) * 4 + 4);
  bytes.set(new TextEncoder().encode(text));
  return [...new Uint32Array(bytes.buffer)];
}

export function section(kind: number, data: Words, name = "a"): Words {
  return [kind, name.length, 2, data.length, ...textWords(name), ...textWords("{}"), ...data];
}

export function planOf(count: number, body: Words = []): Uint8Array {
  const words = Uint32Array.from([0x504d5289, 0x0a4e414c, 1, 2, count, ...body, 0]);
  const bytes = new Uint8Array(words.buffer);
  words[words.length - 1] = crc32(bytes.subarray(0, -4));
  return bytes;
}
