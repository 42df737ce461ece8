// What the page shows of the jobs in the served folder. Nothing here writes. A job may come from a stranger: it is read
// through its store, which follows no link, and the page of its map is made here.

import { constants, createReadStream, existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { unlessRefused } from "../../errors/index.js";
import { openRegular } from "../../files/read.js";
import { type TileViewerOptions, tileViewer } from "../../formats/index.js";
import { EXPORTERS } from "../../jobs/exports/exporters.js";
import { exportPath, isExported } from "../../jobs/exports/exportJob.js";
import { EXPORTS_FOLDER } from "../../jobs/exports/source.js";
import { EVENTS } from "../../jobs/folder/control.js";
import { MANIFEST } from "../../jobs/folder/manifest.js";
import { type FolderStore, jsonIn } from "../../jobs/folder/store.js";
import { type ExportName, type Job, openJob } from "../../jobs/index.js";
import { percentText } from "../job/progress.js";
import { statusLines } from "../job/status.js";

const HTML = "text/html; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = { ".html": HTML, ".png": "image/png" };
/** The exports that are maps, the page of each, and where its tiles are. */
const MAPS = [
  ["pmtiles", "map-viewer.html", { archive: `${EXPORTS_FOLDER}/map.pmtiles` }],
  ["tiles", "tiles/index.html", { path: `${EXPORTS_FOLDER}/tiles/{z}/{x}/{y}.png` }],
] as const;
/** The numbers of the map are in the first lines of its page. */
const PAGE_BYTES = 2 ** 16;
const MAP_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' blob:; connect-src 'self'";

export function isJobFolder(folder: string): boolean {
  return [MANIFEST, EVENTS].every((name) => existsSync(join(folder, name)));
}

/**
 * Answers a request for `status`, `world`, `map` or a file in `exports`. Throws the errors of {@link openJob}, which say
 * what is damaged.
 */
export async function answerJob(
  response: ServerResponse,
  { folder, path, range }: Readonly<{ folder: string; path: readonly string[]; range: string | undefined }>,
): Promise<void> {
  const job = await openJob(folder);
  const [what] = path;
  const send = (type: string, text: string, policy = "sandbox") =>
    void response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(text);
  if (what === EXPORTS_FOLDER) return sendFile(response, job.opened.store, path.join("/"), range);
  if (what === "status") return send("application/json", JSON.stringify(statusOf(job)));
  if (what === "world") return send("application/json", JSON.stringify(worldOf(job)));
  const map = what === "map" ? mapOf(job) : undefined;
  if (map !== undefined) return send(HTML, map, MAP_POLICY);
  response.writeHead(404).end("not found");
}

/** The lines are those that `rollmill job status` prints. */
function statusOf(job: Job): object {
  const status = job.status();
  const { files: _, main: __, code: ___, ...plan } = job.opened.manifest;
  const kinds = (Object.keys(EXPORTERS) as ExportName[]).filter((kind) => isExported(job, kind));
  return {
    state: status.state,
    percent: percentText(status.share),
    lines: statusLines(status).map((line) => line.split("\t")),
    plan: JSON.stringify(plan, undefined, 2),
    exports: kinds.map((kind) => relative(job.folder, exportPath(job, kind)).split(sep).join("/")),
    hasMap: mapOf(job) !== undefined,
  };
}

function worldOf({ opened: { manifest } }: Job): object {
  const { files, main: file, seed, extent } = manifest;
  if (typeof extent === "string") return { files, file, seed, view: {} };
  const middle = (first: number, count: number) => first + Math.floor(count / 2);
  const view = { row: middle(extent.row0, extent.rows), col: middle(extent.col0, extent.cols) };
  return { files, file, seed, view };
}

/** Returns the page of the first export that is a map. */
function mapOf(job: Job): string | undefined {
  const { spec, store, manifest } = job.opened;
  const terrains = spec.terrains.map(({ name, color, tags }) => ({ name, color, tags }));
  for (const [kind, page, tiles] of MAPS) {
    const head = isExported(job, kind) ? store.read(`${EXPORTS_FOLDER}/${page}`, 0, PAGE_BYTES) : undefined;
    const [, text = ""] = /^const map = (.*);$/m.exec(Buffer.from(head ?? []).toString()) ?? [];
    const { rows, cols, row0, col0 } = (jsonIn(Buffer.from(text)) ?? {}) as TileViewerOptions;
    const view = { rows, cols, row0, col0, title: manifest.name, terrains, ...tiles };
    const made = unlessRefused(() => tileViewer(view));
    if (made !== undefined) return made;
  }
  return undefined;
}

async function sendFile(response: ServerResponse, store: FolderStore, name: string, range = ""): Promise<void> {
  // refuses a name or a link that leads out of the folder
  const size = store.sizeOf(name);
  const [isPart, from = 0, to = (size ?? 0) - 1] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const [start, end] = [Number(from), Math.min(Number(to), (size ?? 0) - 1)];
  if (size === undefined || start > end) return void response.writeHead(size === undefined ? 404 : 416).end();
  response.writeHead(isPart === undefined ? 200 : 206, {
    "content-type": TYPES[extname(name)] ?? "application/octet-stream",
    "content-length": end - start + 1,
    ...(isPart !== undefined && { "content-range": `bytes ${start}-${end}/${size}` }),
    // a page of a stranger's job gets no access to the workbench
    "content-security-policy": "sandbox allow-scripts",
    "x-content-type-options": "nosniff",
  });
  const fd = openRegular(join(store.place, name), constants.O_RDONLY);
  // fails if the page has no more use for the file
  await pipeline(createReadStream("", { fd, start, end }), response).catch(() => response.destroy());
}
