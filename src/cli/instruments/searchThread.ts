import { createMillAsync } from "../../index.js";
import type { Segment } from "../../instruments/search.js";
import { serveTasks } from "../../threads/ports.js";
import { processIo } from "../processIo.js";
import { openSearching, type Searching, type Sought } from "./searching.js";

/** The first task of a thread. Each other task is a segment to search. */
export interface ThreadData {
  readonly seed: string;
  readonly sought: Sought;
  readonly cwd: string | undefined;
}

let opening: Promise<Searching>;

serveTasks(async (task: ThreadData | Segment) => {
  if (!("sought" in task)) return { made: (await opening).in(task) };
  const io = { ...processIo(), ...(task.cwd !== undefined && { cwd: task.cwd }) };
  opening = createMillAsync({ seed: task.seed }).then((mill) => openSearching(io, mill, task.sought));
  // the answers to the segments report the error
  opening.catch(() => undefined);
  return { made: undefined };
});
