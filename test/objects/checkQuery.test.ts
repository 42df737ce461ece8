import { describe, expect, test } from "vitest";
import { affixOdds, affixOddsAt } from "../../src/objects/odds/affixes.js";
import { kindOdds } from "../../src/objects/odds/kinds.js";
import { affixLevelOdds, depthOdds, slotOdds } from "../../src/objects/odds/law.js";
import { themeOdds, twoSlotThemeOdds } from "../../src/objects/odds/themes.js";
import { codeOf } from "../refusal.js";
import { filesOf } from "./oddsFiles.js";

const files = filesOf({});
const [kind] = files.kinds;
const best = JSON.parse('"best"');

const BY_LEVEL: readonly (readonly [string, (level: number) => unknown])[] = [
  ["affixLevelOdds", (level) => affixLevelOdds(level, "good", 4)],
  ["slotOdds", (level) => slotOdds(level, "good", false)],
  ["depthOdds", (level) => depthOdds(level)],
  ["affixOdds", (level) => affixOdds(files, { kind, level, affixLevel: 0 })],
  ["affixOddsAt", (level) => affixOddsAt(files, { kind, level, affixLevel: 0, depth: 1 })],
  ["themeOdds", (level) => themeOdds(files, { kind, level, depth: 1, has: [] })],
  ["kindOdds", (level) => kindOdds(files, { level, quality: "good" })],
  ["twoSlotThemeOdds", (level) => twoSlotThemeOdds(files, { kind, level, affixLevel: 0 })],
];

describe.each(BY_LEVEL)("%s", (_, ask) => {
  test.each([Number.NaN, -3, 1.5, 256, Number.POSITIVE_INFINITY])("refuses level %d", (level) => {
    expect(codeOf(() => ask(level))).toBe("argument.range");
  });

  test("takes levels 0 and 255", () => {
    expect(codeOf(() => ask(0))).toBeUndefined();
    expect(codeOf(() => ask(255))).toBeUndefined();
  });
});

test.each<[string, () => unknown]>([
  ["affixLevelOdds", () => affixLevelOdds(1, best, 4)],
  ["slotOdds", () => slotOdds(1, best, false)],
  ["kindOdds", () => kindOdds(files, { level: 1, quality: best })],
])("%s refuses a quality that there is not", (_, ask) => {
  expect(codeOf(ask)).toBe("argument.type");
});

test.each<[string, () => unknown]>([
  ["an affix level below the first", () => affixOdds(files, { kind, level: 1, affixLevel: -1 })],
  ["one above the last", () => affixOdds(files, { kind, level: 1, affixLevel: files.levels.length })],
  ["the same at a depth", () => affixOddsAt(files, { kind, level: 1, affixLevel: files.levels.length, depth: 1 })],
  ["the same of two slots", () => twoSlotThemeOdds(files, { kind, level: 1, affixLevel: files.levels.length })],
  ["a slot's depth below 0", () => affixOddsAt(files, { kind, level: 1, affixLevel: 0, depth: -1 })],
  ["the same of a theme", () => themeOdds(files, { kind, level: 1, depth: Number.NaN, has: [] })],
  ["no affix levels", () => affixLevelOdds(1, "good", 0)],
])("%s is refused", (_, ask) => {
  expect(codeOf(ask)).toBe("argument.range");
});
