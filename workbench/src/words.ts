// The words that `rollmill workbench RECIPE --tables` serves: strangers propose some, and the author decides.

import { signal } from "@preact/signals";
import type { ServedWords } from "../../src/cli/workbench/forge.js";
import { heard } from "./served.js";
import { notice } from "./state.js";

const AUTHOR = "#author=";
/** Only this tab keeps the secret, and sends it to this server only. */
const KEY = "author";
const AGAIN_MILLISECONDS = 10_000;

export const words = signal<ServedWords | undefined>(undefined);

/** Takes the author's secret out of the address. Returns whether it was there. */
export function takeSecret(): boolean {
  if (!location.hash.startsWith(AUTHOR)) return false;
  sessionStorage.setItem(KEY, location.hash.slice(AUTHOR.length));
  history.replaceState(null, "", location.pathname);
  return true;
}

/** Reads the words now, and whenever they change. */
export function followWords(): void {
  const changes = new EventSource("changes");
  changes.addEventListener("open", readWords);
  changes.addEventListener("message", readWords);
  changes.addEventListener("error", () => {
    // the browser tries again by itself, unless a proxy answered that the server is away
    if (changes.readyState === EventSource.CLOSED) setTimeout(followWords, AGAIN_MILLISECONDS);
  });
}

export async function readWords(): Promise<void> {
  const answer = await call<ServedWords>("GET", "words");
  if ("problem" in answer) {
    notice.value = answer.problem;
    return;
  }
  words.value = answer;
  for (const { file, text } of answer.tables) heard({ name: file, text });
}

interface Problem {
  readonly problem: string;
}

/** Returns the answer, or a sentence that says why there is none. */
export async function call<Answer extends object>(
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<Answer | Problem> {
  const secret = sessionStorage.getItem(KEY);
  const headers = { "content-type": "application/json", ...(secret !== null && { authorization: `Bearer ${secret}` }) };
  const asked = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(path, asked).catch(() => undefined);
  if (response === undefined) return { problem: "The server does not answer. What you see stays here." };
  if (response.ok) return response.json();
  const problem = sentence(await response.text());
  if (response.status !== 403 || secret === null) return { problem };
  // the command has started again, with another secret: the page goes on as that of a stranger
  sessionStorage.removeItem(KEY);
  notice.value = problem;
  return call(method, path, body);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
