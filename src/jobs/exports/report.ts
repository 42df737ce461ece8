import { Watch } from "../../calls/index.js";
import { writeWhole } from "../../files/index.js";
import { createMill, type Mill } from "../../mill.js";
import { type WorldOdds, worldOdds } from "../../worlds/odds.js";
import type { Manifest } from "../types.js";
import { pngOf } from "./png.js";
import { bulkFacts } from "./report/bulk.js";
import { contentFacts } from "./report/contents.js";
import { plainRow, trialRow } from "./report/facts.js";
import { layerFacts } from "./report/layers.js";
import { type PlacementRow, reportPage, type TerrainRow } from "./report/page.js";
import { readTimes } from "./report/times.js";
import type { ExportSource } from "./source.js";
import type { Exporter, WriteOptions } from "./types.js";

export const REPORT: Exporter = { to: "report.html", main: "report.html", options: [], write: writeReport };

/** In pixels. */
const MAP_SIDE = 1600;

/** A page with the map, the counts of everything that the job made, and the exact odds beside them. */
async function writeReport(source: ExportSource, file: string, { signal, onProgress }: WriteOptions): Promise<void> {
  const { job, result, layers, sectors, window } = source;
  const { manifest, spec } = job;
  const total = layers.length * window.rows * window.cols + sectors.length;
  const watch = new Watch("the report", total, { signal, onProgress });
  let done = 0;
  const passed = (more: number) => {
    done += more;
    watch.passed(done);
  };
  const odds = worldOdds(spec);
  const contents = withMill(manifest, (mill) => contentFacts(source, mill, () => passed(1)));
  const page = reportPage({
    manifest,
    result,
    png: await bytesOf(pngOf(source, { maxSide: MAP_SIDE, signal })),
    layers: layerFacts(source, passed),
    notKept: spec.walk.layers.map(({ name }) => name).filter((name) => !manifest.visits.includes(name)),
    terrains: terrainRows(source, odds),
    placements: placementRows(source, odds),
    contents,
    bulk: withMill(manifest, (mill) => bulkFacts(source, mill, signal)),
    times: readTimes(job.store),
  });
  await writeWhole(file, page);
}

function withMill<T>({ seed, now }: Manifest, use: (mill: Mill) => T): T {
  const mill = createMill({ seed, now });
  try {
    return use(mill);
  } finally {
    mill.dispose();
  }
}

async function bytesOf(png: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (png instanceof Uint8Array) return png;
  const pieces: Uint8Array[] = [];
  for await (const piece of png) pieces.push(piece);
  return Buffer.concat(pieces);
}

function terrainRows({ job: { spec }, result: { totals } }: ExportSource, odds: WorldOdds): TerrainRow[] {
  return spec.terrains.map(({ name, color }, i) => {
    const count = totals.terrain[name];
    const share = odds.terrains[i].share?.value;
    return {
      color,
      ...(share === undefined ? plainRow(name, count) : trialRow(name, count, { total: totals.cells, p: share })),
    };
  });
}

function placementRows({ job: { spec }, result: { totals } }: ExportSource, odds: WorldOdds): PlacementRow[] {
  return spec.placements.map(({ name, terrains, density, distance }, i) => {
    const { standing, perCell } = odds.placements[i];
    const names = terrains.map((terrain) => spec.terrains[terrain].name);
    const cells = names.length === 0 ? totals.cells : names.reduce((sum, terrain) => sum + totals.terrain[terrain], 0);
    const row = trialRow(name, totals.placements[name], { total: cells, p: standing.value });
    const isWhole = terrains.length === 0 || names.length === spec.terrains.length;
    const shown = {
      on: isWhole ? "everywhere" : names.join(", "),
      density: `${density.numerator}/${density.denominator}`,
      distance,
    };
    // placements that keep a distance are not independent, so their number varies less than that of independent trials
    if (distance === 0) return { ...row, ...shown, least: false };
    if (perCell === undefined) return { ...row, ...shown, deviation: undefined, least: !isWhole };
    return { ...row, ...shown, expected: totals.cells * perCell.value, deviation: undefined, least: false };
  });
}
