import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, drop } from "../work/ask.js";
import type { Failure, Work } from "../work/protocol.js";
import { isCurrent } from "./look.js";

/** The answer to a question about what is shown, always of the newest text and requests. */
export function useAnswer<Name extends "part" | "numbers" | "wait" | "explain">(name: Name, given: Work[Name]["ask"]) {
  const answer = useSignal<Work[Name]["answer"] | { readonly problem: string } | undefined>(undefined);
  useSignalEffect(() => {
    if (!isCurrent.value) return drop(name);
    ask(name, given).then(
      (found) => {
        if (found !== undefined) answer.value = found;
      },
      ({ issues: [{ message }] }: Failure) => {
        answer.value = { problem: message };
      },
    );
  });
  useEffect(() => () => drop(name), []);
  return answer.value;
}
