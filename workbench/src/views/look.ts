// What the worker says about the shown file, always of the newest text.

import { effect, signal } from "@preact/signals";
import type { Issue } from "../../../src/index.js";
import { pinned, source } from "../state.js";
import { ask } from "../work/ask.js";
import type { Failure, Work } from "../work/protocol.js";

/** The last answer. It stays while the text has errors, so that the page does not jump. */
export const look = signal<Work["look"]["answer"] | undefined>(undefined);
export const issues = signal<readonly Issue[]>([]);
/** Whether the last answer is of the present document. */
export const isCurrent = signal(false);

let latest: string | undefined;

effect(() => {
  const { file } = source.value;
  isCurrent.value = false;
  if (latest !== file) look.value = undefined;
  latest = file;
  ask("look", { before: pinned.value }).then(
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
