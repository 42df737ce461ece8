import { writeWhole } from "../../files/index.js";
import { createMill, type Mill } from "../../mill.js";
import { worldOdds } from "../../worlds/odds.js";
import { pngOf } from "./png.js";
import { bulkFacts, contentFacts, layerFacts, readTimes } from "./report/facts.js";
import { reportPage } from "./report/page.js";
import { type ExportSource, progressOf, type WriteOptions } from "./source.js";

const MAP_SIDE = 1600;

/** Writes a page with the map, the counts of everything that the job made, and the exact odds beside them. */
export async function writeReport(source: ExportSource, file: string, call: WriteOptions): Promise<void> {
  const { signal } = call;
  const { job, layers, sectors, window } = source;
  const { seed, now } = job.manifest;
  const total = layers.length * window.rows * window.cols + sectors.length;
  const passed = progressOf("the report", total, call);
  const withMill = <T>(use: (mill: Mill) => T): T => {
    const mill = createMill({ seed, now });
    try {
      return use(mill);
    } finally {
      mill.dispose();
    }
  };
  const contents = withMill((mill) => contentFacts(source, mill, () => passed(1)));
  const page = reportPage(source, {
    odds: worldOdds(job.spec),
    png: await bytesOf(pngOf(source, { maxSide: MAP_SIDE, signal })),
    layers: layerFacts(source, passed),
    contents,
    bulk: withMill((mill) => bulkFacts(source, mill, signal)),
    times: readTimes(job.store),
  });
  await writeWhole(file, page);
}

async function bytesOf(png: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (png instanceof Uint8Array) return png;
  const pieces: Uint8Array[] = [];
  for await (const piece of png) pieces.push(piece);
  return Buffer.concat(pieces);
}
