// As port.test.ts, for contents of one stock: what a job draws is what the page says.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openPart, partName } from "../../src/jobs/folder/part.js";
import type { JobInput } from "../../src/jobs/index.js";
import { sectorsIn } from "../../src/jobs/plan/phases.js";
import type { TaskContext } from "../../src/jobs/tasks/context.js";
import { placementBatches } from "../../src/jobs/tasks/placements.js";
import { parseObjects } from "../../src/objects/index.js";
import { openJob, runPhases, TO_CELLS } from "../jobs/smallJob.js";
import { DUNGEON } from "../objects/dungeon.js";
import { below, forkKey, type Key, prefixPick, streamKey, word } from "./port.mjs";
import { makeObject } from "./portObjects.mjs";
import { addressOf } from "./portWorlds.mjs";

const PAGE = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const SEED = "moria";
const SIDE = 256;
const ORES = [
  { id: "iron", mass: 3, quantity: 9 },
  { id: "gold", mass: 1, quantity: 2 },
];
/** Kinds that stand anywhere with density 1/n. */
const KINDS = [
  { name: "hoard", n: 700 },
  { name: "ore", n: 9000 },
  { name: "vault", n: 900 },
] as const;
const QUALITY = { hoard: "good", vault: "great" } as const;
const PLACES = streamKey(SEED, "land");

interface Extent {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
}

interface Drawn {
  readonly row: number;
  readonly col: number;
  readonly kind: (typeof KINDS)[number]["name"];
  readonly content: unknown;
  /** For an ore: its draw. */
  readonly weights?: readonly number[];
}

function jobOf(extent: Extent, kinds: readonly string[]): JobInput {
  const contents = {
    ore: { pools: "ores", pool: "i", stock: "world" },
    hoard: { objects: "gear", level: 40, good: true, stock: "world" },
    vault: { objects: "gear", level: 90, great: true, stock: "world" },
  } as const;
  const placements = KINDS.filter(({ name }) => kinds.includes(name)).map(({ name, n }) => ({
    name,
    density: `1/${n}`,
    content: contents[name],
  }));
  return {
    extent,
    world: {
      name: "land",
      layers: [{ name: "land" }],
      placements,
      pools: { ores: { roots: { i: { kind: "finite", records: ORES } } } },
      objects: { gear: DUNGEON },
    },
  };
}

/** All contents of a job, by the page. */
function drawAll({ row0, col0, rows, cols }: Extent, kinds: readonly string[]): Drawn[] {
  const keyOf = (name: string): Key => forkKey(forkKey(PLACES, "contents"), name);
  const files = parseObjects(DUNGEON).spec ?? {};
  const next = { hoard: 0, ore: 0, vault: 0 };
  const left = ORES.map(({ quantity }) => quantity);
  /** The artifacts that were made, by number: the kind and the object that has each. */
  const owners = new Map<number, { readonly kind: string; readonly index: number }>();
  const makeOne = (kind: "hoard" | "vault", index: number) => {
    // for this kind, the artifacts of the other kind belong to no object
    const made = new Map([...owners].map(([artifact, owner]) => [artifact, owner.kind === kind ? owner.index : -1]));
    const level = kind === "hoard" ? 40 : 90;
    const object = makeObject(keyOf(kind), files, index, { level, quality: QUALITY[kind], made });
    if (object.artifact !== undefined) owners.set(object.artifact.number, { kind, index });
    return { content: object };
  };
  const drawOre = (n: number) => {
    if (!left.some((quantity) => quantity > 0)) for (const [k, { quantity }] of ORES.entries()) left[k] = quantity;
    const weights = ORES.map(({ mass }, k) => mass * left[k]);
    const ore = prefixPick(keyOf("ore"), 0, n, weights);
    left[ore]--;
    return { content: ORES[ore].id, weights };
  };
  const drawn: Drawn[] = [];
  const regionOf = (coordinate: number) => Math.floor(coordinate / SIDE);
  for (let i = regionOf(row0); i <= regionOf(row0 + rows - 1); i++) {
    for (let j = regionOf(col0); j <= regionOf(col0 + cols - 1); j++) {
      for (const { name: kind, n } of KINDS) {
        if (!kinds.includes(kind)) continue;
        const candidates = forkKey(forkKey(PLACES, "placements"), kind);
        for (let row = Math.max(row0, i * SIDE); row < Math.min(row0 + rows, (i + 1) * SIDE); row++) {
          for (let col = Math.max(col0, j * SIDE); col < Math.min(col0 + cols, (j + 1) * SIDE); col++) {
            if (below(candidates, ...addressOf(row, col), n) > 0) continue;
            const index = next[kind]++;
            drawn.push({ row, col, kind, ...(kind === "ore" ? drawOre(index) : makeOne(kind, index)) });
          }
        }
      }
    }
  }
  return drawn;
}

/** The placements of a job that has run, by sector. */
function placedBy({ job, tables }: TaskContext) {
  const source = { job, sectors: sectorsIn(tables.extent, "row"), window: tables.extent };
  return [...placementBatches(source)].flatMap(([row, col, kind, content]) => {
    if (row.kind !== "integer" || col.kind !== "integer" || kind.kind !== "word" || content.kind !== "text") return [];
    return content.values.map((text, k) => ({
      row: row.values[k],
      col: col.values[k],
      kind: kind.words[kind.indices[k]],
      content: JSON.parse(text),
    }));
  });
}

const byPlace = (a: { row: number; col: number; kind?: unknown }, b: typeof a) =>
  a.row - b.row || a.col - b.col || String(a.kind).localeCompare(String(b.kind));

const numbersOf = ({ kind, artifact, affixes, theme, ...rest }: Record<string, never>) => ({
  ...(rest as object),
  kind: (kind as { number: number }).number,
  artifact: (artifact as { number: number } | undefined)?.number,
  theme: (theme as { number: number } | undefined)?.number,
  affixes: (affixes as { number: number }[]).map(({ number }) => number),
});

describe("contents of one stock", () => {
  // parts of 4 sectors, and of 9 regions
  const extent = { row0: -300, col0: -260, rows: 400, cols: 420 };

  test("a job draws what the page says", async () => {
    const kinds = ["hoard", "ore", "vault"];
    const context = await openJob(jobOf(extent, kinds));
    runPhases(context, [...TO_CELLS, "ordered"]);
    const wanted = drawAll(extent, kinds).sort(byPlace);
    const found = placedBy(context).sort(byPlace);
    expect(found.map(({ row, col, kind }) => [row, col, kind])).toEqual(
      wanted.map(({ row, col, kind }) => [row, col, kind]),
    );
    for (const [k, { kind, content }] of wanted.entries()) {
      if (kind === "ore") expect(found[k].content).toBe(content);
      else expect(numbersOf(found[k].content)).toMatchObject(numbersOf(content as Record<string, never>));
    }
    const made = wanted.filter(({ content }) => (content as { artifact?: object }).artifact !== undefined);
    // both kinds have artifacts, and the ores run out
    expect(new Set(made.map(({ kind }) => kind)).size).toBe(2);
    expect(wanted.filter(({ kind }) => kind === "ore").length).toBeGreaterThan(11);
    const { artifacts } = openPart<{ artifacts: string[] }>(context.job, partName.ordered)?.meta ?? { artifacts: [] };
    expect(artifacts).toHaveLength(made.length);
  });

  test("the check of the page is right", async () => {
    const part = { row0: -120, col0: 360, rows: 260, cols: 340 };
    const drawn = drawAll(part, ["ore"]);
    const key = forkKey(forkKey(PLACES, "contents"), "ore");
    const row = ({ row, col, content, weights }: Drawn, n: number) => {
      const region = `(${Math.floor(row / SIDE)}, ${Math.floor(col / SIDE)})`;
      return `| (${row}, ${col}) | ${region} | ${n} | ${word(key, 0, n)} | ${weights?.join(", ")} | ${content} |`;
    };
    const [, table] = /^Check: the same kind with the stock `world`(.*?)^\*\*Pools/ms.exec(PAGE) ?? ["", ""];
    const lines = drawn.map(row).map((line) => line.replaceAll("-", "−"));
    expect(table).toContain(lines.join("\n"));
    const [high, low] = key;
    expect(table).toContain(`(\`0x${high.toString(16)}\`, \`0x${low.toString(16)}\`)`);
    const context = await openJob(jobOf(part, ["ore"]));
    runPhases(context, [...TO_CELLS, "ordered"]);
    expect(placedBy(context).sort(byPlace)).toEqual(drawn.map(({ weights: _, ...one }) => one).sort(byPlace));
  });
});
