import { signal } from "@preact/signals";
import { documentIn, isFileName } from "../document.js";
import { change, notice, openDocument, shown } from "../state.js";

const MAX_BYTES = 2 ** 22;

/** The files: one is shown, others can be added from the disk. */
export function Tabs() {
  const { files, file } = shown.value;
  return (
    <nav class="tabs" aria-label="Files">
      {Object.keys(files).map((name) => (
        <button
          type="button"
          aria-current={name === file ? "page" : undefined}
          onClick={() => change("", { file: name })}
        >
          {name}
        </button>
      ))}
      <label class="add">
        Add files
        <input type="file" multiple onChange={({ currentTarget }) => addFiles(currentTarget.files)} />
      </label>
      {Object.keys(files).length > 1 && (
        <button type="button" class="remove" title={`Remove ${file}`} onClick={() => removeFile(file)}>
          Remove
        </button>
      )}
    </nav>
  );
}

export const isDragging = signal(false);

export async function addFiles(list: FileList | null): Promise<void> {
  const added: Record<string, string> = {};
  for (const one of list ?? []) {
    if (!isFileName(one.name) || one.size > MAX_BYTES) {
      notice.value = `${one.name} was not opened: a file has at most 4 MB, and a name without “/”.`;
      continue;
    }
    const text = await one.text();
    const whole = one.name.endsWith(".json") ? documentIn(jsonIn(text)) : undefined;
    if (whole !== undefined) return openDocument(whole);
    added[one.name] = text;
  }
  const [first] = Object.keys(added);
  if (first !== undefined) change("", { files: { ...shown.value.files, ...added }, file: first });
}

function removeFile(file: string): void {
  const files = Object.fromEntries(Object.entries(shown.value.files).filter(([name]) => name !== file));
  const [first] = Object.keys(files);
  change("", { files, file: first });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
