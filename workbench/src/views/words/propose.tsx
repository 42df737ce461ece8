import { useSignal } from "@preact/signals";
import { unhidden } from "../../../../src/cli/workbench/hiddenCharacters.js";
import { call } from "../../words.js";
import { alike, Fields, partsIn, type Table } from "./parts.js";

export function Propose({ table }: { readonly table: Table }) {
  const said = useSignal("");
  const propose = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const parts = partsIn(form);
    const answer = await call<{ lookAlikes: readonly string[] }>("POST", "propose", { table: table.name, ...parts });
    if ("problem" in answer) {
      said.value = answer.problem;
      return;
    }
    said.value = `Thank you: the author decides about “${unhidden(parts.word)}”.${alike(answer.lookAlikes)}`;
    form.reset();
  };
  return (
    <form class="waiting" onSubmit={propose} aria-label={`Propose a word for ${table.name}`}>
      <h3>Propose a word for {table.name}</h3>
      <div class="parts">
        <Fields table={table} />
        <label>
          Your name
          <input name="proposer" maxLength={256} autocomplete="nickname" />
        </label>
      </div>
      <button type="submit" class="main">
        Propose
      </button>
      <p role="status">{said}</p>
    </form>
  );
}
