import type { Command } from "commander";
import { TILED_ENCODINGS } from "../../formats/maps/tiledTiles.js";
import { THEME_NAMES } from "../../formats/pictures/themes.js";
import { EXPORTERS } from "../../jobs/exports/exporters.js";
import { type ExportName, exportJob, type LayerHeights, openJob } from "../../jobs/index.js";
import { choice, define, type Flags, option, shellWord } from "../command.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { countOf, integer, threadsOption } from "../shared/options.js";
import { progressBar } from "../shared/progress.js";
import { windowOf } from "../walk/map.js";

const KINDS: Readonly<Record<ExportName, string>> = {
  png: "a picture of the map",
  tiles: "a folder of small pictures for all zooms, with a page that shows them",
  pmtiles: "the pictures of --tiles in one PMTiles file, with a page that shows them",
  tiled: "a map for the Tiled map editor (.tmj), with the picture of its tiles; with -o FILE.world, several maps",
  heights: "a field, or numbers of a layer, as 16-bit heights for 3D engines (.png and .r16)",
  zarr: "a folder with the terrain and the visits as Zarr arrays",
  parquet: "the placements with their contents",
  csv: "the placements with their contents",
  npy: "the terrain as a NumPy array; with --layer, the visits of a layer",
  report: "a page with the map, all counts, and the exact odds beside them",
};
const MAX_SIDE = 2 ** 20;
const SHOWN = ["visits", "firstVisits", "distance"] as const satisfies readonly LayerHeights[];

const EXPORT = [
  option("-o, --output <path>", "the file or the folder to write, if there is only one export"),
  option("--window <row0,col0,row1,col1>", "export only these cells, corners inclusive", windowOf),
  option("--upright", "with --tiles and --pmtiles: shift the rows of an axial map, so that columns run straight down"),
  option("--marks", "with --tiles and --pmtiles: show placements in the colours of their kinds"),
  option("--layer <name>", "with --npy: export the visits of this layer; with --heights, see --show"),
  option("--field <name>", "with --heights: export this field (default: the first field)"),
  choice("--show <what>", "with --heights and --layer: what to export of the layer (default: visits)", SHOWN),
  option("--most <n>", "with --heights and --layer: the number that becomes 65,535", countOf(1, 2 ** 32 - 1)),
  option("--tile-side <n>", "with --heights: export tiles of 2ⁿ + 1 pixels, such as 1025", integer(33, 4097)),
  option("--max-side <n>", "with --png: longest side in pixels (default: 4096)", countOf(1, MAX_SIDE)),
  choice("--encoding <name>", "with --tiled: how tiles are stored (default: zlib)", TILED_ENCODINGS),
  option("--infinite", "with --tiled: an infinite map, with tiles in chunks (default: only above 2^24 tiles)"),
  choice("--theme <name>", "with --png: style (default: plain)", THEME_NAMES),
  threadsOption("one for each core"),
] as const;
type ExportFlags = Partial<Record<ExportName, boolean>> & Flags<typeof EXPORT>;

export function addJobExport(job: Command, io: Io): void {
  define(job.command("export"), io, {
    examples: [
      "job export isle --png -o isle.png",
      "job export isle --tiles --report",
      "job export isle --heights --layer land --show distance --tile-side 1025",
      "job export isle --npy --layer land --window 0,0,255,255 -o land.npy",
      "job export isle --tiled --encoding csv -o isle.tmj",
    ],
    takes: [["<dir>", "the folder of a finished job"]],
    description:
      "export a finished job as pictures, maps, arrays, lists or a report; without -o, into the job's folder exports",
    options: [...Object.entries(KINDS).map(([kind, what]) => option(`--${kind}`, what)), ...EXPORT],
    async run(flags, folder) {
      const kinds = (Object.keys(KINDS) as ExportName[]).filter((kind) => flags[kind]);
      refuseFlags(kinds, flags);
      const job = await openJob(pathIn(io, folder));
      const { output, threads } = flags;
      for (const kind of kinds) {
        const bar = progressBar(io, { what: `exporting ${kind}`, unit: "pieces" });
        const startedAt = performance.now();
        const own = Object.entries(flags).filter(([name]) => hasOption(kind, name));
        const { main } = await exportJob(job, kind, {
          ...Object.fromEntries(own),
          ...(output !== undefined && { to: pathIn(io, output) }),
          threads,
          onProgress: bar.onProgress,
        }).finally(() => bar.stop());
        note(io, `${shellWord(main)}: ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
      }
    },
  });
}

function hasOption(kind: ExportName, name: string): boolean {
  return EXPORTERS[kind].options.some((one) => one === name);
}

function refuseFlags(kinds: readonly ExportName[], flags: ExportFlags): void {
  const { output, window } = flags;
  const names = Object.keys(KINDS).map((kind) => `--${kind}`);
  if (kinds.length === 0) {
    refuse("nothing to export", { expected: `one or more of ${names.join(", ")}` });
  }
  if (output !== undefined && kinds.length > 1) {
    const remedy = "Remove -o, or export one kind at a time";
    refuse("-o names one file, but there are several exports", { remedy });
  }
  for (const one of EXPORT) {
    const name = one.attributeName();
    const allowed = (Object.keys(KINDS) as ExportName[]).filter((kind) => hasOption(kind, name));
    const isFitting = allowed.length === 0 || allowed.some((kind) => kinds.includes(kind));
    if (isFitting || name === "window" || !(name in flags)) continue;
    const of = allowed.map((kind) => `--${kind}`).join(" or ");
    refuse(`${one.long} applies only to ${of}`, { remedy: `Add ${of}, or remove ${one.long}` });
  }
  if (window !== undefined && kinds.includes("report")) {
    const remedy = "Remove --window, or export the report separately";
    refuse("--window does not apply to a report, which covers the whole job", { remedy });
  }
}
