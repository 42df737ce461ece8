// The files of the folder that `rollmill workbench` serves: saved on request, and read again when they change.

import { computed, signal } from "@preact/signals";
import { documentIn, type Files } from "./document.js";
import { notice, openDocument, shown, write } from "./state.js";
import { jobs, openWorldOf, shownJob } from "./views/jobFolder.js";

/** The texts on the disk; undefined if the page is not served with files. */
const disk = signal<Files | undefined>(undefined);
const canSave = signal(false);
let saving = Promise.resolve();

const kind = document.querySelector('meta[name="rollmill-files"]')?.getAttribute("content");
export const isServed = kind != null;
/** Whether the page is served with the words of a recipe, in place of a folder. */
export const hasWords = kind === "words";
/** Whether the shown file differs from the disk, and can be saved. */
export const isUnsaved = computed(() => {
  const { files, file } = shown.value;
  return canSave.value && disk.value?.[file] !== undefined && disk.value[file] !== files[file];
});

/** Opens the served files, and follows their changes; without files, opens a job. Returns whether there are any. */
export async function openServed(): Promise<boolean> {
  if (!isServed) return false;
  const { files, file, seed, canSave: mayWrite, jobs: names = [] } = await (await fetch("files")).json();
  jobs.value = names;
  if (file === undefined && jobs.value.length > 0) {
    [shownJob.value] = jobs.value;
    return openWorldOf(jobs.value[0]);
  }
  const found = documentIn({ files, file: file ?? "", seed: seed ?? "moria", view: {} });
  if (found === undefined) {
    notice.value = "The folder has no .csv, .json, .2da or .txt file, so the page shows an example.";
    return false;
  }
  disk.value = files;
  canSave.value = mayWrite;
  openDocument(found);
  if (!hasWords) {
    new EventSource("changes").addEventListener("message", async ({ data }) => {
      // a later change can arrive before the answer to a save
      await saving;
      heard(JSON.parse(data));
    });
  }
  return true;
}

export function heard({ name, text }: { readonly name: string; readonly text: string }): void {
  const isEdited = shown.value.files[name] !== disk.value?.[name] && shown.value.files[name] !== text;
  disk.value = { ...disk.value, [name]: text };
  const hint = canSave.value ? "; saving replaces the file" : "";
  if (isEdited) notice.value = `${name} has changed on the disk. Your changes are still here${hint}.`;
  else write(name, text);
}

export function save(): void {
  saving = saving.then(saveShown);
}

async function saveShown(): Promise<void> {
  const { files, file } = shown.value;
  const body = JSON.stringify({ name: file, text: files[file], before: disk.value?.[file] });
  const problem = await fetch("files", { method: "PUT", body })
    .then((answer) => (answer.ok ? undefined : answer.text()))
    .catch(() => "the command has ended");
  if (problem === undefined) disk.value = { ...disk.value, [file]: files[file] };
  else notice.value = `${file} was not saved: ${problem}.`;
}
