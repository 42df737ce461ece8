import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { Sha256, sha256 } from "../src/sha256.js";

const utf8 = new TextEncoder();

/** The platform's hash, and the one for platforms without one. */
const HASHES = [
  ["the platform's", sha256],
  ["ours", () => new Sha256()],
] as const;

test("the platform's hash is used where there is one", () => {
  expect(sha256()).not.toBeInstanceOf(Sha256);
  vi.stubGlobal("process", undefined);
  try {
    expect(sha256()).toBeInstanceOf(Sha256);
  } finally {
    vi.unstubAllGlobals();
  }
});

describe.each(HASHES)("%s", (_, start) => {
  // FIPS 180-4 examples; NIST CSRC "SHA256.pdf" and "SHA_All.pdf"
  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("the standard's example %j", (text, digest) => {
    expect(start().update(utf8.encode(text)).hex()).toBe(digest);
  });

  test("every length around the block and padding edges agrees with node:crypto", () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 167 + length) & 255);
      expect(start().update(bytes).hex()).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  test("property: the pieces in which the bytes arrive do not matter", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 8 }), (pieces) => {
        const ours = start();
        const theirs = createHash("sha256");
        for (const piece of pieces) {
          ours.update(piece);
          theirs.update(piece);
        }
        expect(ours.hex()).toBe(theirs.digest("hex"));
      }),
      { seed: 20263 },
    );
  });
});
