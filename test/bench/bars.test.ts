import { describe, expect, test } from "vitest";
import { benchModule, type Result, type Row } from "./modules.js";

const { judge } = await benchModule("bars");
const { barLines, toJson, caseLines } = await benchModule("report");

function row(name: string, ns: number, reference = false): Row {
  return { name, reference, ns: [ns, ns, ns] };
}

function picks(...rivals: Row[]): Result {
  return { subject: "picks", unit: "pick", case: "n=64", rows: [row("rollmill", 2), ...rivals] };
}

describe("bars", () => {
  test("a bar is met at its limit and missed above it", () => {
    const [met] = judge([picks(row("c", 4))]);
    expect(met).toMatchObject({ text: "picks n=64 against c", measured: 0.5, met: true });
    const [missed] = judge([picks(row("c", 3.9))]);
    expect(missed.met).toBe(false);
  });

  test("the best npm rival is the fastest package: not C, not the hand-written one, not a row shown beside", () => {
    const rows = [row("c", 4), row("js", 5), row("c, branch-free", 1, true), row("slow", 40), row("quick", 20)];
    const [, branchFree, npm] = judge([picks(...rows)]);
    expect(branchFree).toMatchObject({ text: "picks n=64 against c, branch-free", measured: 2, met: false });
    expect(npm).toMatchObject({ text: "picks n=64 against the best npm rival (quick)", measured: 0.1, met: true });
  });

  test("without a compiler a bar against C is not measured, and so not met", () => {
    const [c] = judge([picks(row("quick", 20))]);
    expect(c).toMatchObject({ measured: null, met: false });
  });

  test("a job has a bar against its kernel, and one for its speed-up, on each number of threads that ran", () => {
    const times: [string, number][] = [
      ["rollmill", 10],
      ["kernel, 1 thread", 9],
      ["loops, 1 thread", 2],
      ["rollmill, 2 threads", 6],
      ["kernel, 2 threads", 5],
      ["loops, 2 threads", 1],
    ];
    const rows = times.map(([name, ns]) => row(name, ns, name !== "rollmill"));
    const [one, two, speedUp, ...others] = judge([{ subject: "jobs", unit: "step", case: "walk", rows }]);
    expect(one).toMatchObject({ text: "jobs walk on 1 thread against its kernel", met: true });
    expect(two).toMatchObject({ measured: 6 / 5, limit: 1.15, met: false });
    expect(speedUp).toMatchObject({ limit: 0.95, isLeast: true, met: false });
    expect(speedUp.measured).toBeCloseTo(10 / 6 / 2);
    expect(others).toEqual([]);
    expect(barLines([speedUp])[0]).toMatch(/speed-up of 1\.67 .* 0\.833 +at least 0\.950 {2}MISSED$/);
  });

  test("a count in threads has a bar for its speed-up, and one against each rival that ran", () => {
    const times: [string, number][] = [
      ["rollmill", 10],
      ["rollmill, 1 thread", 11],
      ["rollmill, 2 threads", 6],
      ["loops, 2 threads", 5],
      ["js, 2 threads", 12],
      ["rust, 2 threads", 10],
    ];
    const rows = times.map(([name, ns]) => row(name, ns, name !== "rollmill"));
    const [speedUp, againstJs, againstRust, ...others] = judge([
      { subject: "threads", unit: "result", case: "picks", rows },
    ]);
    expect(speedUp).toMatchObject({ limit: 0.95, isLeast: true, met: false });
    expect(speedUp.measured).toBeCloseTo(5 / 6);
    expect(speedUp.text).toContain("its speed-up of 1.67");
    expect(againstJs).toMatchObject({ text: "threads picks on 2 threads against js", measured: 0.5, met: true });
    expect(againstRust).toMatchObject({ text: "threads picks on 2 threads against rust", measured: 0.6, met: false });
    expect(others).toEqual([]);
  });

  test("cases that did not run have no bars", () => {
    expect(judge([])).toEqual([]);
  });
});

describe("reports", () => {
  test("JSON holds medians of ours and of every rival, and no row that is only shown beside", () => {
    const result = picks(row("c", 4.00004), row("c, branch-free", 1, true), row("walker-sample", 20));
    expect(toJson([result])).toEqual([
      { subject: "picks", case: "n=64", ns: 2, rivals: { c: 4, "walker-sample": 20 } },
    ]);
  });

  test("a case is printed with its unit, a line a contender, and the ratio to each", () => {
    const [head, ours, c] = caseLines(picks(row("c", 4)));
    expect(head).toMatch(/^picks n=64 +ns\/pick/);
    expect(ours).toMatch(/^ {2}rollmill +2\.00 +2\.00–2\.00/);
    expect(c).toMatch(/^ {2}c +4\.00 +4\.00–4\.00 +0\.500$/);
  });
});
