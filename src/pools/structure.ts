import { error, fail, RollmillError } from "../errors/index.js";
import { type Root, STAR } from "./node.js";
import { type Report, report } from "./records.js";
import { matching, starPath } from "./resolve.js";

/** Adds an error for every pool that lacks a name of its depth: names are shared by all parents. */
export function checkStructure(to: Report, root: Root): void {
  let parents = [root.top];
  for (const [d, names] of root.names.entries()) {
    for (const [key, name] of names.entries()) {
      const without = name === undefined ? undefined : parents.find((parent) => !parent.children.has(key));
      if (without === undefined) continue;
      const remedy = `Declare it under every parent, or once as a rule: ${starPath(root, d + 1)}${name}`;
      const problem = `${without.path} has no subpool ${name}, though others at its depth do`;
      report(to, "pool.structure", without.path, { problem, remedy });
    }
    parents = matching(root, new Array<number>(d + 1).fill(STAR));
  }
}

/** Runs a job whose errors stand at a place of a spec. */
export function located(to: Report, path: string, job: () => void): void {
  try {
    job();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    for (const issue of cause.issues) to.issues.push({ ...issue, where: { path, file: to.file } });
  }
}

/** Refuses a new subpool under some parents only. */
export function refuseAlone(path: string, star: string): never {
  return fail(
    error("pool.structure", {
      problem: "names are shared by all parents of a depth, and this would be under some of them only",
      got: path,
      remedy: `Register it under all: ${star}`,
      where: { path },
    }),
  );
}

/** Refuses a subpool that is there already. */
export function refuseTwice(path: string): never {
  const remedy = "Add records to it with addToSubpool";
  return fail(
    error("pool.exists", { problem: "the subpool is registered already", got: path, remedy, where: { path } }),
  );
}
