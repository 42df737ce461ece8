// CodeMirror from its parts, with our errors in place.

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Issue } from "../../src/index.js";
import { completion } from "./complete.js";
import type { NounKind } from "./work/protocol.js";

interface Given {
  readonly file: string;
  readonly text: string;
  readonly write: (text: string) => void;
  /** Returns the kind of noun that the text has, once it is known. */
  readonly kindOf: () => NounKind | undefined;
}

const STYLE = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.keyword, color: "var(--code-key)" },
  { tag: tags.comment, color: "var(--quiet)" },
]);

/** Lines of CSV, 2DA and edit files: numbers, quoted texts and jumps. */
const LINES = StreamLanguage.define({
  token(stream) {
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^->.*?(?=[,;\t]|$)/)) return "keyword";
    if (stream.match(/^-?\d[\w./+-]*/)) return "number";
    stream.match(/^[^\s,;\t"]+|^./);
    return null;
  },
});

export function openEditor(host: HTMLElement, { file, text, write, kindOf }: Given) {
  const isJson = /\.json$/i.test(file);
  let isShowing = false;
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        EditorView.lineWrapping,
        highlightActiveLine(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(STYLE),
        isJson ? json() : LINES,
        autocompletion({ override: [completion(kindOf, isJson)] }),
        keymap.of([...completionKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": file, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isShowing) write(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    /** Shows a text, as after undo, and the issues in their places. */
    show(next: string, issues: readonly Issue[]): void {
      const { doc } = view.state;
      isShowing = true;
      if (doc.toString() !== next) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
      isShowing = false;
      view.dispatch(
        setDiagnostics(
          view.state,
          issues.flatMap((issue) => diagnosticOf(view.state, file, issue)),
        ),
      );
    },
    close: () => view.destroy(),
  };
}

/** Issues with a line have a place in the text; others are listed above the results only. */
function diagnosticOf({ doc }: EditorState, file: string, { severity, message, where }: Issue): Diagnostic[] {
  if (where.line === undefined || where.line > doc.lines || (where.file ?? file) !== file) return [];
  const line = doc.line(where.line);
  const from = Math.min(line.to, line.from + (where.column ?? 1) - 1);
  const end = /[,;\t\s]/.exec(line.text.slice(from - line.from + 1));
  const to = end === null ? line.to : Math.min(line.to, from + 1 + end.index);
  return [{ from, to: Math.max(from, to), severity, message }];
}
