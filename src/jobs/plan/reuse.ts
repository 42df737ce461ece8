import type { OpenedJob } from "../folder/manifest.js";
import { cellsMeta, openPart, partName } from "../folder/part.js";
import { unlessDamaged } from "../folder/store.js";
import type { JobKeys } from "./keys.js";
import { folderNameOf } from "./parse.js";
import { hasOrdered, JobTables } from "./phases.js";

/** Something that a job makes, and whether the job takes it from an earlier job. */
export interface ReusePiece {
  /** `walks`: the walkers of a finite layer. `stocks`: the contents from stocks of the whole world. */
  readonly kind: "walks" | "visits" | "terrain" | "placements" | "contents" | "stocks" | "bulk";
  /** The name of the layer, of the kind of placements, or of the bulk part. Empty for `terrain` and `stocks`. */
  readonly name: string;
  readonly reused: boolean;
  /** Estimated size in the folder of the earlier job, in bytes. 0 if the job makes the piece anew. */
  readonly bytes: number;
}

/** What a job takes from an earlier job. */
export interface JobReuse {
  /** Why nothing is reused. Undefined if something may be reused. */
  readonly refusal: string | undefined;
  readonly pieces: readonly ReusePiece[];
}

const PLACE_SECTIONS = ["rows", "cols", "kinds", "sizes", "facings", "terrains"];
/** The sizes of sections are estimated from this many sectors. */
const SAMPLED_SECTORS = 64;

export function reuseOf(job: OpenedJob, from: OpenedJob): JobReuse {
  const { keys } = job;
  if (keys === undefined || from.keys === undefined) {
    return { refusal: "another build of Rollmill made the earlier job", pieces: [] };
  }
  const found = [...piecesOf(job, keys, from, from.keys)];
  const sizes = sizesOf(from);
  const pieces = found.map(({ old, ...piece }): ReusePiece => {
    const reused = old !== undefined;
    return { ...piece, reused, bytes: reused ? Math.round(sizes(piece.kind, old)) : 0 };
  });
  return { refusal: undefined, pieces };
}

/** Yields the pieces of a job. `old` is the index or the name of the equal piece of the earlier job. */
function* piecesOf({ plan, manifest }: OpenedJob, keys: JobKeys, from: OpenedJob, old: JobKeys) {
  const indexOf = (index: number) => (index < 0 ? undefined : index);
  const { layers } = plan.walk;
  for (const [l, { name, scatter }] of layers.entries()) {
    const other = indexOf(old.layerWith(keys.layer(l)));
    if (scatter === undefined) yield { kind: "walks", name, old: other } as const;
    if (!manifest.visits.includes(name)) continue;
    const isKept = other !== undefined && from.manifest.visits.includes(from.plan.walk.layers[other].name);
    yield { kind: "visits", name, old: isKept ? other : undefined } as const;
  }
  yield { kind: "terrain", name: "", old: old.terrain === keys.terrain ? 0 : undefined } as const;
  for (const [k, { name, contents }] of plan.spec.placements.entries()) {
    const { placed, content } = keys.kinds[k];
    yield { kind: "placements", name, old: indexOf(old.kinds.findIndex((one) => one.placed === placed)) } as const;
    if (contents.every(({ stock }) => stock === "world")) continue;
    yield { kind: "contents", name, old: indexOf(old.kinds.findIndex((one) => one.content === content)) } as const;
  }
  if (hasOrdered({ plan }))
    yield { kind: "stocks", name: "", old: old.ordered === keys.ordered ? 0 : undefined } as const;
  for (const spec of manifest.bulk) {
    const other = from.manifest.bulk.find((one) => old.bulk(one, 0) === keys.bulk(spec, 0));
    yield { kind: "bulk", name: spec.name, old: other?.name } as const;
  }
}

/** Returns a function that estimates the bytes of a piece in a job. Reads the heads of some sectors. */
function sizesOf(job: OpenedJob) {
  const { store, plan } = job;
  const sectors = unlessDamaged(() => new JobTables(job).sectors) ?? [];
  const step = Math.max(1, Math.floor(sectors.length / SAMPLED_SECTORS));
  const sections = new Map<string, number>();
  const counts = plan.spec.placements.map(() => 0);
  for (let s = 0; s < sectors.length; s += step) {
    const part = unlessDamaged(() => openPart(job, partName.cells(sectors[s]), cellsMeta(job)));
    if (part === undefined) continue;
    for (const [name, length] of part.storedLengths) sections.set(name, (sections.get(name) ?? 0) + step * length);
    for (const [k, count] of part.meta.placements.entries()) counts[k] += step * count;
  }
  const listed = (folder: string) => store.list(folder).reduce((sum, name) => sum + (store.sizeOf(name) ?? 0), 0);
  const inSections = (...names: string[]) => names.reduce((sum, name) => sum + (sections.get(name) ?? 0), 0);
  const all = counts.reduce((sum, n) => sum + n, 0);
  const withContents = counts.reduce((sum, n, k) => sum + (plan.spec.placements[k].contents.length > 0 ? n : 0), 0);
  return (kind: ReusePiece["kind"], of: number | string): number => {
    const layer = plan.walk.layers[Number(of)]?.name;
    switch (kind) {
      case "walks":
        return listed(`parts/walk/${of}`) + listed(`parts/layer/${of}`);
      case "visits":
        return inSections(`visits ${layer}`, `first ${layer}`);
      case "terrain":
        return inSections("terrain");
      case "placements":
        return (inSections(...PLACE_SECTIONS) * counts[Number(of)]) / Math.max(1, all);
      case "contents":
        return (inSections("contents") * counts[Number(of)]) / Math.max(1, withContents);
      case "stocks":
        return store.sizeOf(partName.ordered) ?? 0;
      case "bulk":
        return listed(`parts/bulk/${folderNameOf(`${of}`)}`);
    }
  };
}
