// The editor. The text is editable at once; CodeMirror is loaded after the first results.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { shown, text, write } from "./state.js";
import { issues, look } from "./views/look.js";

type Code = typeof import("./code.js");
const code = signal<Code | undefined>(undefined);

export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  const { file } = shown.value;
  useEffect(() => {
    if (code.value === undefined) import("./code.js").then((loaded) => (code.value = loaded));
  }, []);
  const loaded = code.value;
  useEffect(() => {
    if (host.current === null || loaded === undefined) return;
    const editor = loaded.openEditor(host.current, {
      file,
      text: text.value,
      write: (content) => write(file, content),
      kindOf: () => look.peek()?.kind,
    });
    const stop = effect(() => {
      if (shown.value.file === file) editor.show(text.value, issues.value);
    });
    return () => {
      stop();
      editor.close();
    };
  }, [loaded, file]);
  if (loaded !== undefined) return <div class="code" ref={host} />;
  return (
    <textarea
      class="code"
      aria-label={file}
      spellcheck={false}
      value={text.value}
      onInput={({ currentTarget }) => write(file, currentTarget.value)}
    />
  );
}
