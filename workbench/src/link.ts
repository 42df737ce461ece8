// A document as the hash of a link: a version, then deflated JSON in base64url.

import { type Document, documentIn } from "./document.js";

/** The letter is the version of the format of links, the number that of the random words. */
const VERSION = "a2";
/** Longer links are files to download: some programs cut longer addresses. */
export const MOST_IN_LINK = 8000;
/** A link that inflates to more is refused, so that no link can fill the memory. */
const MAX_TEXT = 2 ** 22;

export async function linkOf(document: Document): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const packed = await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `#${VERSION}.${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns the document of a hash, or why it has none. */
export async function documentOf(hash: string): Promise<Document | { readonly problem: string }> {
  const [, version, packed] = /^#([a-z]\d+)\.([\w-]*)$/.exec(hash) ?? [];
  if (version === undefined) return { problem: "This address has no document of the workbench after its #." };
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
    const text = await bytesOf(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
      MAX_TEXT,
    );
    const document = documentIn(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)));
    if (document === undefined) return { problem: "The document in this link is damaged." };
    if (version === VERSION) return document;
  } catch {
    return { problem: "The document in this link is damaged, or larger than 4 MB." };
  }
  return { problem: `This link was made by another version (${version}) of the workbench, which gives other results.` };
}

async function bytesOf(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const reader = stream.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("the document is too large");
    }
    pieces.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
