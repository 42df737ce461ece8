import { effect, signal } from "@preact/signals";
import { documentIn } from "../document.js";
import { Choice } from "../parts/choice.js";
import { notice, openDocument } from "../state.js";

interface JobStatus {
  readonly state: string;
  readonly percent: string;
  /** The lines of `rollmill job status`, each in its parts. */
  readonly lines: readonly (readonly string[])[];
  readonly plan: string;
  /** The files to open. */
  readonly exports: readonly string[];
  readonly hasMap: boolean;
}

const AGAIN_MILLISECONDS = 1000;

/** The names of the jobs in the served folder. */
export const jobs = signal<readonly string[]>([]);
export const shownJob = signal<string | undefined>(undefined);
/** The last answer of the command. A text says why there is no status. */
const status = signal<JobStatus | string | undefined>(undefined);

effect(() => {
  const job = shownJob.value;
  status.value = undefined;
  if (job === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    const found = await answerOf<JobStatus>(job, "status");
    if (shownJob.value !== job) return;
    // a new value draws the page again, and a map of it would begin anew
    if (JSON.stringify(found) !== JSON.stringify(status.value)) status.value = found;
    timer = setTimeout(read, AGAIN_MILLISECONDS);
  };
  read();
  return () => clearTimeout(timer);
});

function addressOf(job: string, path: string): string {
  return `jobs/${encodeURIComponent(job)}/${path}`;
}

async function answerOf<Value>(job: string, path: string): Promise<Value | string> {
  try {
    const answer = await fetch(addressOf(job, path));
    return await (answer.ok ? answer.json() : answer.text());
  } catch {
    return "The command has ended.";
  }
}

/** Opens the files of the job's world. Returns whether the page can show them. */
export async function openWorldOf(job: string): Promise<boolean> {
  const document = documentIn(await answerOf(job, "world"));
  if (document === undefined) notice.value = "The page cannot show the files of this job's world.";
  else openDocument(document);
  return document !== undefined;
}

export function JobChoice() {
  const choose = (name: string) => (shownJob.value = name || undefined);
  return <Choice label="Job" of={jobs.value} first="no job" value={shownJob.value ?? ""} choose={choose} />;
}

/** The folder of a job, also while the job runs. */
export function JobFolder({ job }: { readonly job: string }) {
  const found = status.value;
  const showWorld = async () => {
    if (await openWorldOf(job)) shownJob.value = undefined;
  };
  return (
    <div class="view job" data-state={typeof found === "object" ? found.state : "unknown"}>
      <div class="bar">
        <h2>Job {job}</h2>
        <button type="button" onClick={showWorld}>
          Show its world
        </button>
      </div>
      {typeof found === "string" && (
        <ul class="issues" role="status">
          <li data-severity="error">{found}</li>
        </ul>
      )}
      {typeof found === "object" && <Status job={job} {...found} />}
    </div>
  );
}

function Status({ job, state, percent, lines, plan, exports, hasMap }: JobStatus & { readonly job: string }) {
  return (
    <>
      {state !== "finished" && <progress aria-label="Progress" value={Number(percent)} max={100} />}
      {hasMap ? (
        <iframe title={`The map of the job ${job}`} src={addressOf(job, "map")} />
      ) : (
        <p class="quiet">
          The job has no map yet. When it is finished, <code>npx rollmill job export {job} --pmtiles</code> makes one.
        </p>
      )}
      <ul class="exports" aria-label="Exports">
        {exports.map((path) => (
          <li key={path}>
            <a href={addressOf(job, path)} target="_blank" rel="noreferrer">
              {path}
            </a>
          </li>
        ))}
      </ul>
      <table class="odds" aria-label="Status">
        <tbody>
          {lines.map(([head, ...parts]) => (
            <tr>
              <th scope="row">{[head, ...parts.slice(0, -1)].join(" ")}</th>
              <td>{parts.at(-1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>Plan</summary>
        <pre>{plan}</pre>
      </details>
    </>
  );
}
