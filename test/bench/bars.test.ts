import { describe, expect, test } from "vitest";
import { benchModule, type Result, type Row } from "./modules.js";

const { judge } = await benchModule("bars");
const { toJson, caseLines } = await benchModule("report");

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
    const [, npm] = judge([picks(...rows)]);
    expect(npm).toMatchObject({ text: "picks n=64 against the best npm rival (quick)", measured: 0.1, met: true });
  });

  test("without a compiler a bar against C is not measured, and so not met", () => {
    const [c] = judge([picks(row("quick", 20))]);
    expect(c).toMatchObject({ measured: null, met: false });
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
