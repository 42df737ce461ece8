import { type Signal, useSignal } from "@preact/signals";
import { ask } from "../work/ask.js";
import type { Place } from "../work/protocol.js";

/** A button that explains a result: each random word, what was compared with it, and what was chosen. */
export function Why({ at, children }: { readonly at: number; readonly children?: string }) {
  const text = useSignal<string | undefined>(undefined);
  return (
    <>
      <button
        type="button"
        class={children ? "chip" : "link"}
        data-none={children === "nothing"}
        onClick={() => explain(at, text)}
      >
        {children ?? "Why?"}
      </button>
      <Reasons title={`Why result ${at}`} text={text} />
    </>
  );
}

/** Sets a text to the explanation of a result or a cell. */
export function explain(at: number | Place, text: Signal<string | undefined>): void {
  ask("explain", { at }).then(
    (answer) => {
      text.value = answer?.text;
    },
    ({ issues: [{ message }] }) => {
      text.value = message;
    },
  );
}

/** A window over the page with an explanation, while there is one. */
export function Reasons({ title, text }: { readonly title: string; readonly text: Signal<string | undefined> }) {
  const close = () => {
    text.value = undefined;
  };
  if (text.value === undefined) return null;
  return (
    <dialog
      open
      ref={(dialog) => dialog?.focus()}
      tabIndex={-1}
      aria-label={title}
      onKeyDown={({ key }) => key === "Escape" && close()}
    >
      <div class="bar">
        <h3>{title}</h3>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <pre>{text.value}</pre>
    </dialog>
  );
}
