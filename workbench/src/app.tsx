// The page: files on the left, what they make on the right, one seed for both.

import { effect, signal, useSignalEffect } from "@preact/signals";
import { download } from "./download.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { documentOf, linkOf, MOST_IN_LINK } from "./link.js";
import { Command } from "./parts/command.js";
import { Tabs } from "./parts/tabs.js";
import { keepRecent, recent } from "./recent.js";
import { hasWords, isUnsaved, openServed, save } from "./served.js";
import { canRedo, canUndo, change, diceSeed, notice, openDocument, redo, shown, undo } from "./state.js";
import { JobChoice, JobFolder, shownJob } from "./views/jobFolder.js";
import { View } from "./views/view.js";
import { followWords, readWords, takeSecret } from "./words.js";

const LINK_MILLISECONDS = 400;
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

/** On a narrow screen, the page shows one of the two sides. */
const side = signal<"files" | "results">("results");

if (hasWords) takeSecret();
openServed().then((isOpen) => {
  if (!isOpen) readLink().then(keepRecent);
  else if (hasWords) followWords();
});
addEventListener("hashchange", readLink);

let own = "";
let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const document = shown.value;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    own = await linkOf(document);
    if (own.length <= MOST_IN_LINK) history.replaceState(null, "", own);
  }, LINK_MILLISECONDS);
});

async function readLink(): Promise<void> {
  const { hash } = location;
  if (hash === "" || hash === own) return;
  if (hasWords && takeSecret()) return readWords();
  const found = await documentOf(hash);
  if ("problem" in found) notice.value = `${found.problem} The page shows an example instead.`;
  else openDocument(found);
}

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && !(key === "s" && isUnsaved.value)) return;
  event.preventDefault();
  if (key === "s") return save();
  if (event.shiftKey) redo();
  else undo();
});

export function App() {
  useSignalEffect(() => {
    document.title = `${shown.value.file} · Rollmill workbench`;
  });
  return (
    <div class="page" data-side={side.value}>
      <header>
        <h1>
          Rollmill <span>workbench</span>
        </h1>
        <Seed />
        <nav class="sides" aria-label="What the page shows">
          {(["files", "results"] as const).map((one) => (
            <button type="button" aria-pressed={side.value === one} onClick={() => (side.value = one)}>
              {one}
            </button>
          ))}
        </nav>
        <button type="button" class="icon menu" popovertarget="tools">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M3 4h14v2H3zm0 5h14v2H3zm0 5h14v2H3z" />
          </svg>
          <span class="unseen">Menu</span>
        </button>
        <div class="tools" id="tools" popover="auto">
          {!hasWords && <Open />}
          <JobChoice />
          <div class="group">
            <button type="button" onClick={undo} disabled={!canUndo.value} title="Undo (Ctrl+Z)">
              Undo
            </button>
            <button type="button" onClick={redo} disabled={!canRedo.value} title="Redo (Ctrl+Shift+Z)">
              Redo
            </button>
          </div>
          {isUnsaved.value && (
            <button type="button" onClick={save} title="Save (Ctrl+S)">
              Save
            </button>
          )}
          <Share />
        </div>
      </header>
      {notice.value !== "" && (
        <p class="notice" role="status">
          {notice.value}{" "}
          <button type="button" onClick={() => (notice.value = "")}>
            Close
          </button>
        </p>
      )}
      <main>
        <section class="files" aria-label="Files">
          <Tabs />
          <Editor />
          <Command />
        </section>
        <section class="results" aria-label="Results">
          {shownJob.value === undefined ? <View /> : <JobFolder job={shownJob.value} />}
        </section>
      </main>
    </div>
  );
}

function Open() {
  const open = (value: string) => {
    const documents = value.startsWith("recent") ? recent.value : EXAMPLES;
    openDocument(documents[Number(value.replace("recent ", ""))].document);
    document.getElementById("tools")?.hidePopover();
  };
  return (
    <label class="field">
      <span>Open</span>
      <select
        value=""
        onChange={({ currentTarget }) => {
          open(currentTarget.value);
          currentTarget.value = "";
        }}
      >
        <option value="" disabled>
          Choose …
        </option>
        <optgroup label="Examples">
          {EXAMPLES.map(({ title }, i) => (
            <option value={i}>{title}</option>
          ))}
        </optgroup>
        {recent.value.length > 0 && (
          <optgroup label="Changed lately">
            {recent.value.map(({ at, document: { file } }, i) => (
              <option value={`recent ${i}`}>{`${file}, ${TIME.format(at)}`}</option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
}

function Seed() {
  return (
    <div class="group">
      <label class="field">
        <span>Seed</span>
        <input
          value={shown.value.seed}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => change("seed", { seed: currentTarget.value })}
        />
      </label>
      <button type="button" class="icon" title="Another seed" onClick={() => change("", { seed: diceSeed() })}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M10 1l8 4.5v9L10 19l-8-4.5v-9z" fill="none" stroke="currentColor" stroke-width="1.5" />
          <circle cx="10" cy="10" r="1.8" />
          <circle cx="6" cy="7.6" r="1.4" />
          <circle cx="14" cy="12.4" r="1.4" />
        </svg>
        <span class="unseen">Another seed</span>
      </button>
    </div>
  );
}

/** Copies the link; offers a file instead if the link would be too long. */
function Share() {
  const said = signal("Share");
  const share = async () => {
    const link = await linkOf(shown.value);
    if (link.length > MOST_IN_LINK) {
      download("workbench.json", JSON.stringify(shown.value));
      notice.value = "This document is too large for a link, so you got a file. Drop it on the page to open it.";
      return;
    }
    history.replaceState(null, "", link);
    await navigator.clipboard.writeText(location.href).catch(() => undefined);
    said.value = "Link copied";
    setTimeout(() => {
      said.value = "Share";
    }, 1500);
  };
  return (
    <button type="button" class="main" onClick={share}>
      {said}
    </button>
  );
}
