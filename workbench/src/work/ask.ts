// Asks the worker. Of the questions of one kind, only the newest counts: the answer to an older one never arrives. A
// worker that is still busy with a question that no longer counts is ended, so that no text can hold up the page.

import { signal } from "@preact/signals";
import { source } from "../state.js";
import type { Ask, Failure, Work } from "./protocol.js";
import type { Source } from "./source.js";

/** How long a worker may be busy with a question that no longer counts. */
const PATIENCE_MILLISECONDS = 250;
/** How long a question may take. */
const LIMIT_MILLISECONDS = 20_000;

interface Waiting {
  readonly ask: Ask;
  readonly slot: string;
  readonly done: (reply: { answer?: unknown; failure?: Failure }) => void;
}

export const isBusy = signal(false);
let worker: Worker | undefined;
let next = 0;
let asked: { id: number; since: number; waiting: Waiting } | undefined;
let queue: Waiting[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Asks one question about the document, or about another source. Resolves with undefined if a newer one of the same slot
 * came before the answer. Rejects with a Failure.
 */
export function ask<Name extends keyof Work>(
  name: Name,
  given: Work[Name]["ask"] & { readonly source?: Source },
  slot: string = name,
): Promise<Work[Name]["answer"] | undefined> {
  return new Promise((resolve, reject) => {
    drop(slot);
    queue.push({
      ask: { source: source.value, ...given, name } as unknown as Ask,
      slot,
      done: ({ answer, failure }) => (failure ? reject(failure) : resolve(answer as Work[Name]["answer"] | undefined)),
    });
    isBusy.value = true;
    send();
  });
}

/** Forgets the questions of a slot. */
export function drop(slot: string): void {
  for (const waiting of queue.filter((one) => one.slot === slot)) waiting.done({});
  queue = queue.filter((one) => one.slot !== slot);
  if (asked?.waiting.slot !== slot) return;
  asked.waiting.done({});
  const left = asked.since + PATIENCE_MILLISECONDS - performance.now();
  clearTimeout(timer);
  timer = setTimeout(restart, Math.max(0, left));
}

function send(): void {
  if (asked !== undefined) return;
  const waiting = queue.shift();
  isBusy.value = waiting !== undefined;
  if (waiting === undefined) return;
  worker ??= started();
  asked = { id: next++, since: performance.now(), waiting };
  worker.postMessage({ id: asked.id, ask: waiting.ask });
  clearTimeout(timer);
  timer = setTimeout(() => {
    const problem = "this takes more than 20 seconds. Make the table, the walk or the world smaller";
    waiting.done({ failure: { issues: [{ code: "odds.work", severity: "error", message: problem, where: {} }] } });
    restart();
  }, LIMIT_MILLISECONDS);
}

function started(): Worker {
  const made = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data: { id, ...reply } }) => {
    if (asked?.id !== id) return;
    clearTimeout(timer);
    asked?.waiting.done(reply);
    asked = undefined;
    send();
  });
  return made;
}

/** Ends the worker, and goes on with the next question in a new one. */
function restart(): void {
  worker?.terminate();
  worker = undefined;
  asked = undefined;
  send();
}
