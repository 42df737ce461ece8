// The documents that were changed lately, in this browser only: closing the page loses nothing.

import { effect, signal } from "@preact/signals";
import { get, update } from "idb-keyval";
import { type Document, documentIn } from "./document.js";
import { opened, shown } from "./state.js";

const KEY = "recent";
const MAX_DOCUMENTS = 12;
const PAUSE_MILLISECONDS = 1000;

export interface Recent {
  readonly id: string;
  /** The time of the last change, in milliseconds. */
  readonly at: number;
  readonly document: Document;
}

export const recent = signal<readonly Recent[]>([]);

/** A document that was opened, and what becomes of it, is kept once. */
const ids = new WeakMap<Document, string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the documents, and keeps those whose files are changed from now on. */
export async function keepRecent(): Promise<void> {
  // some private windows have no database: then nothing is kept
  recent.value = recentIn(await get(KEY).catch(() => undefined));
  effect(() => {
    const [document, origin] = [shown.value, opened.value];
    clearTimeout(timer);
    if (document.files === origin.files) return;
    timer = setTimeout(() => keep(document, origin), PAUSE_MILLISECONDS);
  });
}

async function keep(document: Document, origin: Document): Promise<void> {
  const id = ids.get(origin) ?? crypto.randomUUID();
  ids.set(origin, id);
  // other pages of this browser keep theirs, too
  await update(KEY, (found: unknown) => {
    const others = recentIn(found).filter((one) => one.id !== id);
    recent.value = [{ id, at: Date.now(), document }, ...others].slice(0, MAX_DOCUMENTS);
    return recent.value;
  }).catch(() => undefined);
}

function recentIn(found: unknown): readonly Recent[] {
  return Array.isArray(found) ? found.filter((one) => documentIn(one?.document) !== undefined) : [];
}
