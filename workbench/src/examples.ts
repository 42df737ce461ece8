// The documents to begin with: examples of the package.

import bags from "../../examples/bags.json?raw";
import cards from "../../examples/cards.csv?raw";
import endless from "../../examples/endless.json?raw";
import gems from "../../examples/gems.csv?raw";
import loot from "../../examples/loot.csv?raw";
import orc from "../../examples/orc.json?raw";
import placesRecipe from "../../examples/places.json?raw";
import walk from "../../examples/walk.json?raw";
import type { Document, Files } from "./document.js";

interface Example {
  readonly title: string;
  readonly document: Document;
}

function example(title: string, files: Files): Example {
  const [file] = Object.keys(files);
  return { title, document: { files, file, seed: "moria", view: {} } };
}

const places = Object.entries(
  import.meta.glob<string>("../../examples/places/*.csv", { query: "?raw", import: "default", eager: true }),
).map(([path, text]) => [path.slice(path.indexOf("places/")), text]);

const hoard = Object.entries(
  import.meta.glob<string>("../../examples/hoard/*.txt", { query: "?raw", import: "default", eager: true }),
).map(([path, text]) => [path.slice(path.indexOf("hoard/")), text]);

export const EXAMPLES: readonly Example[] = [
  example("Loot of a chest", { "loot.csv": loot, "gems.csv": gems }),
  example("What an orc drops", { "orc.json": orc, "loot.csv": loot, "gems.csv": gems }),
  example("Bags that run empty", { "bags.json": bags }),
  example("A deck of cards", { "cards.csv": cards }),
  example("Names of places", { "places.json": placesRecipe, ...Object.fromEntries(places) }),
  example("Treasure with affixes", Object.fromEntries(hoard)),
  example("A drunken walk", { "walk.json": walk }),
  example("A world without end", { "endless.json": endless, ...Object.fromEntries(hoard) }),
];
