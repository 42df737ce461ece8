// The state of the page: the document and its history, in signals that the views read.

import { computed, signal } from "@preact/signals";
import type { Document, Files } from "./document.js";
import { EXAMPLES } from "./examples.js";
import { isSame, type Source } from "./work/source.js";

/** Changes that come so soon after one another are undone together. */
const TOGETHER_MILLISECONDS = 800;
const MAX_STEPS = 200;

export const shown = signal<Document>(EXAMPLES[0].document);
/** The document as it was opened. */
export const opened = signal<Document>(EXAMPLES[0].document);
/** The files to compare with. */
export const pinned = signal<Files | undefined>(undefined);
/** A sentence for the user, such as why a link has no document. */
export const notice = signal("");
export const text = computed(() => shown.value.files[shown.value.file]);

/** What the worker needs of the document. It stays the same object while only the view changes. */
export const source = computed<Source>(() => {
  const next = sourceOf(shown.value);
  if (!isSame(latest, next)) latest = next;
  return latest;
});
let latest = sourceOf(shown.value);

function sourceOf({ files, file, seed, view }: Document) {
  const options = Object.fromEntries(Object.entries(view).filter(([name]) => name.startsWith("with ")));
  return { files, file, seed, options };
}

const past = signal<readonly Document[]>([]);
const future = signal<readonly Document[]>([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);
let last = { what: "", at: 0 };

/** Changes the document. `what` names the change: typing in one file is undone together. */
export function change(what: string, parts: Partial<Document>): void {
  const now = performance.now();
  const isSame = what !== "" && last.what === what && now - last.at < TOGETHER_MILLISECONDS;
  if (!isSame) past.value = [...past.value.slice(1 - MAX_STEPS), shown.value];
  future.value = [];
  last = { what, at: now };
  shown.value = { ...shown.value, ...parts };
}

/**
 * Changes what the view remembers. This is no step of the history. Names that begin with "with " change the results:
 * the worker gets them.
 */
export function remember(view: Document["view"]): void {
  shown.value = { ...shown.value, view: { ...shown.value.view, ...view } };
}

export function write(file: string, content: string): void {
  if (shown.value.files[file] === content) return;
  change(`write ${file}`, { files: { ...shown.value.files, [file]: content } });
}

export function openDocument(document: Document): void {
  opened.value = document;
  change("", document);
  pinned.value = undefined;
}

export function undo(): void {
  const before = past.value.at(-1);
  if (before === undefined) return;
  past.value = past.value.slice(0, -1);
  future.value = [shown.value, ...future.value];
  shown.value = before;
  last = { what: "", at: 0 };
}

export function redo(): void {
  const [next, ...rest] = future.value;
  if (next === undefined) return;
  future.value = rest;
  past.value = [...past.value, shown.value];
  shown.value = next;
  last = { what: "", at: 0 };
}

const WORDS = ["moria", "ember", "raven", "thorn", "gale", "onyx", "fjord", "saffron", "wisp", "quarry"];

/** A seed that nobody has chosen: a word and a number. */
export function diceSeed(): string {
  const [word, number] = crypto.getRandomValues(new Uint32Array(2));
  return `${WORDS[word % WORDS.length]}-${number % 10_000}`;
}
