import { type LongCall, Watch } from "../../calls/index.js";
import { type Issue, unlessRefused } from "../../errors/index.js";
import { metaOf } from "../plan/phases.js";
import { CONTROL, storedControl } from "./control.js";
import { MANIFEST, type OpenedJob } from "./manifest.js";
import { partOf, type ShardMeta } from "./part.js";
import { RESULT, readResult } from "./result.js";
import { failDamaged, readChecked } from "./store.js";

/** A file of a job that is damaged or missing. */
export interface JobFlaw {
  /** The name of the file in the folder of the job. */
  readonly file: string;
  readonly issue: Issue;
}

/** Checks the files of a job, but no foreign file in `parts`. If the job has a result, compares the parts' hashes. */
export function flawsOf(job: OpenedJob, call: LongCall): JobFlaw[] {
  const { store } = job;
  const flaws: JobFlaw[] = [];
  const check = <T>(file: string, read: () => T): T | undefined =>
    unlessRefused(read, ({ issues: [issue] }) => flaws.push({ file, issue }));
  const hashes = check(RESULT, () => readResult(job))?.parts ?? {};
  const listed = check("parts", () => store.list("parts")) ?? [];
  const parts = new Set([...listed.filter((name) => metaOf(job, name) !== undefined), ...Object.keys(hashes)]);
  const watch = new Watch("the job", parts.size + 1, call);
  const missing: string[] = [];
  check(CONTROL, () => storedControl(store) ?? failDamaged(store, CONTROL));
  check(MANIFEST, () => readChecked(store, MANIFEST) ?? failDamaged(store, MANIFEST));
  for (const [done, file] of [...parts].sort().entries()) {
    check(file, () => {
      const part = partOf(job, file, metaOf(job, file));
      part.verify();
      const { further: more = [] } = part.meta as Partial<ShardMeta>;
      for (const further of more) if (!parts.has(further)) missing.push(further);
      const wanted = hashes[file];
      if (wanted !== undefined && part.sha256 !== wanted) failDamaged(store, file);
    });
    watch.passed(done + 1);
  }
  for (const file of missing) check(file, () => failDamaged(store, file));
  return flaws;
}
