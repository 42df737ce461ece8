import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { FILE_NAMES, parseObjects } from "../../src/objects/index.js";
import type { WorldInput } from "../../src/worlds/index.js";

const KEYS = ["object", "objectBase", "egoItem", "artifact"] as const;
const read = (key: (typeof KEYS)[number]) =>
  readFileSync(new URL(`../../examples/hoard/${FILE_NAMES[key]}`, import.meta.url), "utf8");
const [object, objectBase, egoItem, artifact] = KEYS.map(read);

/** Returns the digest of a world whose objects were read from files in a folder. */
function digestWith(folder: string, level: number): string {
  const files = Object.fromEntries(KEYS.map((key) => [key, `${folder}/${FILE_NAMES[key]}`]));
  const { spec: hoard } = parseObjects({ object, objectBase, egoItem, artifact }, { files });
  if (hoard === undefined) throw new Error("the files have errors");
  const world: WorldInput = {
    layers: [{ name: "land" }],
    terrain: [{ terrain: "land" }],
    placements: [{ name: "chest", density: "1/50", content: { objects: "hoard", level } }],
    objects: { hoard },
  };
  return createMill({ seed: "moria" }).world("land", world).digest(0, 0, 40, 40);
}

test("a digest depends on the objects, and not on the folder of their files", () => {
  expect(digestWith("a", 30)).toBe(digestWith("b/c", 30));
  expect(digestWith("a", 30)).not.toBe(digestWith("a", 60));
});
