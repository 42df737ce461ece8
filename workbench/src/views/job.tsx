import { useSignal } from "@preact/signals";
import { stemOf } from "../document.js";
import { download } from "../download.js";
import { Choice } from "../parts/choice.js";
import { shown } from "../state.js";
import { ask } from "../work/ask.js";

const SIDES = [256, 512, 1024, 2048];

/** Makes a job file of the cells around the middle of the map, and the digest that the job will print. */
export function Job() {
  const side = useSignal(SIDES[1]);
  const said = useSignal("");
  const { file, seed, view } = shown.value;
  // a whole number of rows pairs, because every second row of a picture is shifted
  const first = (middle: number) => 2 * Math.round((middle - side.value / 2) / 2);
  const extent = {
    row0: first(Number(view.row ?? 0)),
    col0: first(Number(view.col ?? 0)),
    rows: side.value,
    cols: side.value,
  };
  const save = () => {
    const world = file.slice(file.lastIndexOf("/") + 1);
    const job = { name: stemOf(file), world, seed, extent, exports: ["png", "report"] };
    download(`${stemOf(file)}-job.json`, `${JSON.stringify(job, null, 2)}\n`);
    said.value = "…";
    ask("digest", { cells: extent }).then(
      (answer) => {
        if (answer !== undefined) said.value = answer.digest;
      },
      ({ issues: [{ message }] }) => {
        said.value = message;
      },
    );
  };
  return (
    <section class="waiting" aria-label="A job">
      <div class="bar">
        <h3>Make this area in advance</h3>
        <span class="group">
          <Choice
            label="Size"
            of={SIDES}
            value={side.value}
            choose={(text) => {
              side.value = Number(text);
              said.value = "";
            }}
          />
          <button type="button" onClick={save}>
            Job file
          </button>
        </span>
      </div>
      {said.value !== "" && (
        <p>
          <code>npx rollmill job start {stemOf(file)}-job.json folder</code> will print this digest of the world:{" "}
          <code class="digest">{said}</code>
        </p>
      )}
    </section>
  );
}
