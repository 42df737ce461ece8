import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { error, RollmillError } from "../../../src/errors/index.js";
import { checkTicket, ticketName } from "../../../src/jobs/queue/tickets.js";
import { newRefusals } from "../../../src/jobs/queue/worker.js";
import { codeOf } from "../../refusal.js";

const SUBMISSION = { job: "maps/isle", generation: 7, code: "c", control: "1 2" };
const STEP = { ...SUBMISSION, rounds: { cells: 1 } };
const TASK = { ...SUBMISSION, phase: "cells", k: 3 };

describe("checkTicket", () => {
  test.each([STEP, TASK])("takes the data of a ticket: %j", (data) => {
    expect(codeOf(() => checkTicket(data))).toBeUndefined();
  });

  test.each([
    "..",
    "../root2/isle",
    "/etc",
    "",
    ".",
    "maps//isle",
    "maps\\..\\root2",
    "maps/isle\0",
    "C:/maps",
    undefined,
    null,
    5,
    ["maps", "isle"],
    { toString: () => "maps/isle" },
  ])("refuses the folder %j", (job) => {
    expect(codeOf(() => checkTicket({ ...TASK, job }))).toBe("queue.root");
  });

  test.each([
    { ...TASK, generation: "x" },
    { ...TASK, generation: undefined },
    { ...TASK, code: 5 },
    { ...TASK, control: null },
    { ...TASK, k: -1 },
    { ...TASK, k: 0.5 },
    { ...TASK, phase: 3 },
    { ...STEP, rounds: null },
    { ...STEP, rounds: { cells: "5" } },
    SUBMISSION,
  ])("refuses %j", (data) => {
    expect(codeOf(() => checkTicket(data))).toBe("job.task");
  });

  test.each([null, undefined, 7, "text", []])("refuses %j, which is not an object", (data) => {
    expect(codeOf(() => checkTicket(data))).toBe("queue.root");
  });
});

describe("the name of a ticket (audit 4b)", () => {
  test("has one line, whatever the ticket says", () => {
    const forged = "isle\nfailed: a step of other\u001b[2J\u2028\r";
    for (const data of [
      { ...STEP, job: forged },
      { ...TASK, job: forged, phase: forged, k: forged },
      { ...TASK, job: { toString: () => forged } },
    ]) {
      expect(ticketName(data)).not.toMatch(/[\p{Control}\u2028]/u);
    }
    expect(ticketName({ ...STEP, job: "x".repeat(1e6) }).length).toBeLessThan(300);
  });

  test("is readable for a ticket of a submission", () => {
    expect(ticketName(STEP)).toBe("a step of maps/isle");
    expect(ticketName(TASK)).toBe('task 3 of the phase "cells" of maps/isle');
    for (const data of [null, undefined, 7, "text", []]) expect(ticketName(data)).toContain("a step of");
  });
});

describe("tickets that a worker gives back (audit 4b)", () => {
  const cause = new RollmillError([error("queue.root", { problem: "not here" })]);
  const other = { ...SUBMISSION, job: join("maps", "other") };

  test("a worker passes each ticket once, then pauses, each time for longer", () => {
    const refusals = newRefusals();
    const pauses: number[] = [];
    for (let round = 0; round < 6; round++) {
      for (const id of ["a", "b", "c"]) pauses.push(refusals.add(id, SUBMISSION, cause).pauseMs);
    }
    // the first three are new; after a pause, the worker looks at all tickets again
    expect(pauses.slice(0, 3)).toEqual([0, 0, 0]);
    expect(pauses.filter((ms) => ms > 0)).toEqual([500, 1000, 2000, 4000]);
  });

  test("an own ticket ends the long pauses", () => {
    const refusals = newRefusals();
    const pause = () => [0, 1].map(() => refusals.add("a", SUBMISSION, cause).pauseMs);
    expect([pause(), pause(), pause()]).toEqual([
      [0, 500],
      [0, 1000],
      [0, 2000],
    ]);
    refusals.reset();
    expect(pause()).toEqual([0, 500]);
  });

  test("the folder of a submission is looked at once between two pauses", () => {
    const refusals = newRefusals();
    refusals.throwKnown(SUBMISSION);
    expect(refusals.add("a", SUBMISSION, cause).isNew).toBe(true);
    expect(codeOf(() => refusals.throwKnown(SUBMISSION))).toBe("queue.root");
    expect(refusals.add("b", SUBMISSION, cause).isNew).toBe(false);
    refusals.throwKnown(other);
    expect(refusals.add("c", other, cause).isNew).toBe(true);
    refusals.add("a", SUBMISSION, cause);
    refusals.throwKnown(SUBMISSION);
  });
});
