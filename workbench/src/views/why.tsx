import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Place } from "../work/protocol.js";
import { useAnswer } from "./answer.js";

/** The result or the cell that the window explains. */
export const asked = signal<number | Place | undefined>(undefined);

/** A button that explains a result: each random word, what was compared with it, and what was chosen. */
export function Why({ at, children }: { readonly at: number; readonly children?: string }) {
  return (
    <button
      type="button"
      class={children ? "chip" : "link"}
      data-none={children === "nothing"}
      onClick={() => (asked.value = at)}
    >
      {children ?? "Why?"}
    </button>
  );
}

/** A window over the page with an explanation, while there is one. It follows the text and the requests. */
export function Reasons() {
  const at = asked.value;
  useEffect(() => close, []);
  return at === undefined ? null : <Explained key={JSON.stringify(at)} at={at} />;
}

function Explained({ at }: { readonly at: number | Place }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const found = useAnswer("explain", { at });
  useEffect(() => dialog.current?.focus(), [found === undefined]);
  if (found === undefined) return null;
  const title = typeof at === "number" ? `Why result ${at}` : "Why this cell";
  return (
    <dialog open ref={dialog} tabIndex={-1} aria-label={title} onKeyDown={({ key }) => key === "Escape" && close()}>
      <div class="bar">
        <h3>{title}</h3>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <pre>{"problem" in found ? found.problem : found.text}</pre>
    </dialog>
  );
}

function close(): void {
  asked.value = undefined;
}
