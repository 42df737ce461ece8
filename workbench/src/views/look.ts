// What the worker says about the shown file, always of the newest text.

import { effect, signal } from "@preact/signals";
import type { Issue } from "../../../src/index.js";
import { pinned, shown } from "../state.js";
import { ask } from "../work/ask.js";
import type { Failure, Source, Work } from "../work/protocol.js";

/** The last answer. It stays while the text has errors, so that the page does not jump. */
export const look = signal<Work["look"]["answer"] | undefined>(undefined);
export const issues = signal<readonly Issue[]>([]);
/** Whether the last answer is of the present document. */
export const isCurrent = signal(false);

let latest: Source | undefined;

effect(() => {
  const { files, file, seed, view } = shown.value;
  const level = Number(view.level ?? 0);
  const before = pinned.value;
  isCurrent.value = false;
  const source = { files, file, seed };
  if (latest?.file !== file) look.value = undefined;
  latest = source;
  ask("look", { source: { ...source, level }, before }).then(
    (answer) => {
      if (answer === undefined) return;
      look.value = answer;
      issues.value = answer.issues;
      isCurrent.value = true;
    },
    ({ issues: found }: Failure) => {
      issues.value = found;
    },
  );
});
