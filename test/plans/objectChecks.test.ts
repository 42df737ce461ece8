// Each check of the objects of a plan file: the image of the example with one number that only this check refuses.
import { describe, expect, test } from "vitest";
import { crc32 } from "../../src/formats/bytes.js";
import { createMill } from "../../src/index.js";
import {
  AffixRecord,
  AliasRecord,
  ArtifactLine,
  ArtifactRecord,
  BonusTable,
  EgoLine,
  FlagLine,
  KindRecord,
  ModifierLine,
  ObjectHead,
  ObjectRecord,
  PvalLine,
  ThemeLine,
  ThemeRecord,
} from "../../src/kernel/layout.js";
import { bake } from "../../src/plans/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { LIGHTHOUSE } from "../objects/lighthouse.js";
import { Host } from "./host.js";

type Layout<T> = { readonly offsets: { readonly [Name in keyof T]: number }; readonly bytes: number };

/** A plan of one maker, whose numbers a test can change. */
class Spoilt {
  readonly words: Uint32Array;
  readonly #first: number;

  constructor(files: Parameters<ReturnType<typeof createMill>["objects"]>[1] = DUNGEON) {
    const noun = createMill({ seed: 1 }).objects("o", files);
    const plan = bake([{ noun, options: { level: 30 } }]);
    this.words = new Uint32Array(plan.slice().buffer);
    this.#first = this.words.length - 1 - noun.plan.image.length / 4;
  }

  get request(): Uint32Array {
    return this.words.subarray(this.#first - 16, this.#first);
  }

  get image(): Uint32Array {
    return this.words.subarray(this.#first, -1);
  }

  get status(): string {
    const bytes = new Uint8Array(this.words.buffer);
    this.words[this.words.length - 1] = crc32(bytes.subarray(0, -4));
    return new Host(bytes).status;
  }

  /** The numbers of a record at a byte of the image. Numbers of 16 bits are halves of words. */
  get<T>(at: number, layout: Layout<T>, name: keyof T): number {
    return this.image[(at + layout.offsets[name]) / 4];
  }

  set<T>(at: number, layout: Layout<T>, name: keyof T, value: number): void {
    const place = at + layout.offsets[name];
    if (place % 4 === 0 && !(["dice", "sides", "sign", "bits"] as unknown[]).includes(name))
      this.image[place / 4] = value;
    else new Uint16Array(this.image.buffer, this.image.byteOffset + place, 1)[0] = value;
  }

  head(name: keyof ObjectHead, value: number): void {
    this.set(0, ObjectHead, name, value);
  }

  /** The offset of the first record of a table for which `fits` holds. */
  record(table: "kinds" | "affixes" | "themes" | "artifacts", fits: (at: number) => boolean = () => true): number {
    const first = this.get(0, ObjectHead, table) / 4;
    const at = [...this.image.subarray(first, first + 500)].map((offset) => offset & ~15).find(fits);
    if (at === undefined) throw new Error(`no such record of ${table}`);
    return at;
  }

  /** The offset of the first line of a record that has lines of this sort. */
  line<T>(
    table: "kinds" | "affixes" | "themes" | "artifacts",
    layout: Layout<T>,
    lines: keyof T,
    count: keyof T,
  ): number {
    return this.get(
      this.record(table, (at) => this.get(at, layout, count) > 0),
      layout,
      lines,
    );
  }
}

const MAX = 2 ** 32 - 1;

const REQUESTS: Readonly<Record<string, (request: Uint32Array, spoilt: Spoilt) => void>> = {
  "a depth of 256": (request) => request.set([256], 0),
  "a fourth quality": (request) => request.set([3], 1),
  "a kind that does not exist": (request, spoilt) => request.set([spoilt.get(0, ObjectHead, "kindCount") + 1], 2),
  "an affix level that does not exist": (request) => request.set([100], 3),
  "256 lifts": (request) => request.set([256], 6),
  "the image of a later noun": (request) => request.set([1, 0], 13),
  "an unknown mark": (request) => request.set([2], 13),
  "an image that is longer than the section": (request) => request.set([request[15] + 1], 15),
  "an image that is shorter than its head": (request) => request.set([40], 15),
};

const HEADS: readonly (readonly [keyof ObjectHead, number])[] = [
  ["kindCount", 0],
  ["kindCount", 2 ** 16],
  ["themeCount", 1000],
  ["artifactCount", 2 ** 16],
  ["lineCount", 2 ** 17],
  ["requiringLineCount", 2 ** 17],
  ["mostEgos", 2 ** 17],
  ["flagCount", 2 ** 17],
  ["flagBytes", 8],
  ["flagBytes", 2 ** 13],
  ["pvalBytes", 8],
  ["flagStride", 2 ** 12],
  ["flagStride", 6],
  ["pvalStride", 2 ** 12],
  ["pvalStride", 3],
  ["elementWords", 100],
  ["themeBytes", 16],
  ["objectBytes", 16],
  ["levelCount", 0],
  ["levelCount", 1000],
  ["mostSlots", 9],
  ["themeParts", 0],
  ["room", 0],
  ["room", MAX - 15],
  ["ammunition", MAX - 15],
  ["ammunitionPvals", MAX - 15],
  ["kindBonus", MAX - 15],
  ["kindBands", MAX - 15],
  ["kindTables", 0],
  ["goodKindTables", MAX - 15],
  ["lines", MAX - 15],
  ["tables", 0],
  ["tableCount", 1],
];

const RECORDS: Readonly<Record<string, (spoilt: Spoilt) => void>> = {
  "a table without entries": (o) => o.set(o.get(0, ObjectHead, "tables"), AliasRecord, "length", 0),
  "a table of weight 0": (o) => {
    const table = o.get(0, ObjectHead, "tables");
    const weights = o.get(table, AliasRecord, "weights") / 4;
    o.image.fill(0, weights, weights + o.get(table, AliasRecord, "length"));
  },
  "a table that overflows": (o) => {
    const weights = o.get(o.get(0, ObjectHead, "tables"), AliasRecord, "weights") / 4;
    o.image.fill(MAX, weights, weights + 2);
  },
  "cells without a table": (o) => {
    const cells = o.get(0, ObjectHead, "kindTables") / 4;
    o.image[cells] = o.get(0, ObjectHead, "tableCount") + 1;
  },
  "cells with a kind that does not exist": (o) => {
    const cell = o.get(0, ObjectHead, "kindTables") / 4;
    const table = [...o.image.subarray(cell, cell + 20)].find((which) => which > 0) ?? 0;
    const ids = o.get(o.get(0, ObjectHead, "tables") + (table - 1) * AliasRecord.bytes, AliasRecord, "ids");
    new Uint16Array(o.image.buffer, o.image.byteOffset + ids, 1)[0] = 0xffff;
  },
  "a bonus of too many vectors": (o) => o.set(o.get(0, ObjectHead, "kindBonus"), BonusTable, "vectors", MAX),
  "a bonus of long levels": (o) => o.set(o.get(0, ObjectHead, "kindBonus"), BonusTable, "levelBytes", MAX),
  "a form of a kind that does not exist": (o) =>
    o.set(o.get(o.record("kinds"), KindRecord, "form"), ObjectRecord, "kind", 2 ** 16),
  "a form with affixes": (o) => o.set(o.get(o.record("kinds"), KindRecord, "form"), ObjectRecord, "affixCount", 1),
  "a signature between vectors": (o) => {
    const kind = o.record("kinds", (at) => o.get(at, KindRecord, "signature") > 0);
    o.set(kind, KindRecord, "signature", o.get(kind, KindRecord, "signature") + 4);
  },
  "a signature with a band too many": (o) => {
    const kind = o.record("kinds", (at) => o.get(at, KindRecord, "signature") > 0);
    o.image[o.get(kind, KindRecord, "signature") / 4] = 0;
  },
  "two signatures that overlap": (o) => {
    const kind = o.record("kinds", (at) => o.get(at, KindRecord, "signature") > 0);
    o.set(kind, KindRecord, "signature", o.get(kind, KindRecord, "signature") + 16);
  },
  "a theme that does not exist": (o) => {
    o.image[o.get(o.record("kinds"), KindRecord, "themes") / 4 + 1] = 2 ** 31;
  },
  "a modifier of the affixes": (o) =>
    o.set(o.line("affixes", AffixRecord, "modifiers", "modifierCount"), ModifierLine, "field", 20),
  "256 dice": (o) => o.set(o.line("affixes", AffixRecord, "modifiers", "modifierCount"), ModifierLine, "dice", 256),
  "a simple value with two dice": (o) => {
    const line = o.line("affixes", AffixRecord, "modifiers", "modifierCount");
    o.set(line, ModifierLine, "dice", 2);
    o.set(line, ModifierLine, "bits", 2);
  },
  "a value of a flag without one": (o) => {
    const flags = o.get(o.line("affixes", AffixRecord, "pvals", "pvalCount"), PvalLine, "flags");
    new Uint16Array(o.image.buffer, o.image.byteOffset + flags, 1)[0] = 0xffff;
  },
  "a flag that does not exist": (o) => {
    const flags = o.get(o.line("affixes", AffixRecord, "randomFlags", "randomFlagCount"), FlagLine, "flags");
    new Uint16Array(o.image.buffer, o.image.byteOffset + flags, 1)[0] = 0xffff;
  },
  "256 flags of a line": (o) =>
    o.set(o.line("affixes", AffixRecord, "randomFlags", "randomFlagCount"), FlagLine, "count", 256),
  "256 pvals of a line": (o) => o.set(o.line("affixes", AffixRecord, "pvals", "pvalCount"), PvalLine, "count", 256),
  "too many rolls of an affix": (o) => {
    const affix = o.record("affixes", (at) => o.get(at, AffixRecord, "modifierCount") > 0);
    o.set(affix, AffixRecord, "modifierCount", 2 ** 16);
  },
  "an affix of a theme that does not exist": (o) =>
    o.set(o.line("themes", ThemeRecord, "lines", "lineCount"), ThemeLine, "affix", 2 ** 16),
  "a total that is not that of a theme's weights": (o) => {
    const theme = o.record("themes");
    o.set(theme, ThemeRecord, "total", o.get(theme, ThemeRecord, "total") + 1);
  },
  "an artifact of a form that does not exist": (o) =>
    o.set(o.get(o.record("artifacts"), ArtifactRecord, "form"), ObjectRecord, "kind", 2 ** 16),
  "a line of an artifact that does not exist": (o) =>
    o.set(o.get(0, ObjectHead, "lines"), ArtifactLine, "artifact", 2 ** 16),
  "a line of a kind that does not exist": (o) => o.set(o.get(0, ObjectHead, "lines"), ArtifactLine, "kind", 2 ** 16),
};

describe("objects", () => {
  test("are accepted", () => {
    expect(new Spoilt().status).toBe("OK");
    expect(new Spoilt(LIGHTHOUSE).status).toBe("OK");
  });

  test.each(Object.entries(REQUESTS))("with %s are refused", (_, spoil) => {
    const spoilt = new Spoilt();
    spoil(spoilt.request, spoilt);
    expect(spoilt.status).toBe("PLAN");
  });

  test.each(HEADS)("with the %s %i are refused", (name, value) => {
    const spoilt = new Spoilt();
    spoilt.head(name, value);
    expect(spoilt.status).toBe("PLAN");
  });

  test.each(Object.entries(RECORDS))("with %s are refused", (_, spoil) => {
    const spoilt = new Spoilt();
    spoil(spoilt);
    expect(spoilt.status).toBe("PLAN");
  });

  test("of Angband 4.2 with an ego that does not exist are refused", () => {
    const spoilt = new Spoilt(LIGHTHOUSE);
    spoilt.set(spoilt.line("kinds", KindRecord, "egos", "egoCount"), EgoLine, "affix", 2 ** 16);
    expect(spoilt.status).toBe("PLAN");
  });
});
