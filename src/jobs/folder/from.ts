import { relative, resolve } from "node:path";
import { basename, dirname } from "node:path/posix";
import { messageOf, RollmillError, unlessRefused } from "../../errors/index.js";
import { record } from "../../spec/index.js";
import { metaOf } from "../plan/phases.js";
import { logEvent } from "./control.js";
import { type Manifest, type OpenedJob, openManifest } from "./manifest.js";
import { openPart, type ShardMeta } from "./part.js";
import { FolderStore, matching, parseData, putChecked, readChecked } from "./store.js";

export const FROM = "from.json";

/**
 * The folder of an earlier job, from which a job takes what has the same key. The path is relative to the job's own
 * folder, because machines can have both in different places. Without this file, the job makes everything itself.
 */
const STORED_FROM = record({ folder: matching(/^[^\0]+$/, "a path") });

export function putFrom(store: FolderStore, folder: string): void {
  putChecked(store, FROM, { folder: relative(resolve(store.place), resolve(folder)) });
}

/** Opens a job, and the earlier job whose parts it takes. Leaves out an earlier job that cannot be opened. */
export async function openWithFrom(store: FolderStore, manifest?: Manifest): Promise<OpenedJob> {
  const job = await openManifest(store, manifest);
  if (store.sizeOf(FROM) === undefined) return job;
  const folder = unlessRefused(() => {
    const given = readChecked(store, FROM);
    return given && parseData({ store, name: FROM }, given, (reader, root) => STORED_FROM.read(reader, root)).folder;
  });
  if (folder === undefined) return job;
  const opening = openManifest(new FolderStore(resolve(store.place, folder)));
  const from = await opening.catch((cause: unknown) => {
    if (!(cause instanceof RollmillError)) throw cause;
    return undefined;
  });
  return from === undefined ? job : { ...job, from };
}

/** Logs that a job that should take parts from an earlier job cannot do so. */
export function logUnusedFrom({ store, from }: OpenedJob): void {
  if (store.sizeOf(FROM) === undefined || from?.keys !== undefined) return;
  const reason = from === undefined ? "the earlier job cannot be opened" : "another build made the earlier job";
  logEvent(store, "nothing is reused", { reason });
}

/** Takes a part from the earlier job, if it has the same key and no damage. Returns whether it did. */
export function takePart({ store, keys, from }: OpenedJob, name: string): boolean {
  if (from?.keys === undefined || keys === undefined) return false;
  const old = nameIn(name, (layer) => from.keys?.layerWith(keys.layer(layer)));
  if (old === undefined || from.keys.part(old) !== keys.part(name)) return false;
  const onDamage = (cause: RollmillError) => logEvent(store, "not reused", { part: old, reason: messageOf(cause) });
  const parts = unlessRefused(() => verifiedParts(from, old), onDamage);
  // the last part of a shard comes last, because it marks the shard as done
  for (const [file, part] of parts ?? []) {
    const own = file === old ? name : `${dirname(name)}/${basename(file)}`;
    if (!store.link(own, { store: from.store, name: file })) store.put(own, part.pieces());
  }
  return parts !== undefined;
}

/** The name that a part has in another job, in which its layer can have another index. */
function nameIn(name: string, layerOf: (layer: number) => number | undefined): string | undefined {
  const [parts, kind, layer, file] = name.split("/");
  if (kind !== "walk" && kind !== "layer") return name;
  const other = layerOf(Number(layer)) ?? -1;
  return other < 0 ? undefined : [parts, kind, other, file].join("/");
}

/** Reads every byte of a part, and of the further parts of a shard. Returns undefined if one of them is missing. */
function verifiedParts(job: OpenedJob, name: string) {
  const found: [string, { pieces(): Iterable<Uint8Array> }][] = [];
  const last = openPart(job, name, metaOf(job, name));
  const { further = [] } = (last?.meta ?? {}) as Partial<ShardMeta>;
  for (const file of [...further, name]) {
    const part = file === name ? last : openPart(job, file);
    if (part === undefined) return undefined;
    part.verify();
    found.push([file, part]);
  }
  return found;
}
