import { type Code, type Finding, failOnErrors, IssueList, RollmillError } from "../../errors/index.js";
import { matching, starPath } from "../resolve.js";
import { type Root, STAR } from "./node.js";

/** Collects all errors of one change to a family. */
export class Problems {
  readonly #issues = new IssueList({ code: "pool.spec" });
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
  }

  report(code: Code, path: string, finding: Finding): void {
    this.#issues.report(code, { ...finding, where: { path, file: this.#file } });
  }

  /** Adds the issues that a job throws. Their place in the spec is `path`. */
  collect(path: string, job: () => void): void {
    try {
      job();
    } catch (cause) {
      if (!(cause instanceof RollmillError)) throw cause;
      for (const issue of cause.issues) this.#issues.add({ ...issue, where: { path, file: this.#file } });
    }
  }

  get isFull(): boolean {
    return this.#issues.isFull;
  }

  check(): void {
    failOnErrors(this.#issues.list());
  }
}

/** All pools at one depth have subpools of the same names. Reports the first pool that lacks a name. */
export function checkStructure(problems: Problems, root: Root): void {
  let parents = [root.top];
  for (const [d, names] of root.names.entries()) {
    for (const [key, name] of names.keys.entries()) {
      const without = typeof name === "number" ? undefined : parents.find((parent) => !parent.children.has(key));
      if (without === undefined) continue;
      const path = `${starPath(root, d + 1)}${name}`;
      const remedy = `Declare the subpool in all pools at this depth, or once with a rule for the path ${path}`;
      const problem = `pool ${without.path} lacks the subpool ${name}, which another pool at the same depth has`;
      problems.report("pool.structure", without.path, { problem, remedy });
    }
    parents = matching(root, new Array<number>(d + 1).fill(STAR));
  }
}
