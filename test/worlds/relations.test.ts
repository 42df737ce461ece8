import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { IS_SOAK } from "../soak.js";
import { expectSame, readWindow, windowOf } from "./compare.js";
import { randomRelations } from "./randomRelations.js";
import { WorldTwin } from "./twin.js";

/** Kinds of placements with relations: random worlds, compared with the twin, and cases worked out by hand. */
const WORLDS = IS_SOAK ? 500 : 30;

let placements = 0;

test.each(Array.from({ length: WORLDS }, (_, number) => number))("world %d is that of the twin", (number) => {
  const { input, window, seed, name } = randomRelations(number);
  using world = createMill({ seed }).world(name, input);
  const theirs = new WorldTwin(input, { seed, name }).window(window);
  expectSame(readWindow(windowOf(world, window), input), theirs, `world ${number}`);
  placements += theirs.placements.length;
});
