import { describe, expect, test } from "vitest";
import { localTimeText, parseLocalTime } from "../../src/localTime.js";
import { createOneShots } from "../../src/tables/scripts/nwangband.js";
import { createScriptSet, parseScriptArgs, randomDefault } from "../../src/tables/scripts.js";
import { refusalOf } from "../refusal.js";

describe("random_default", () => {
  const at = (now: string) => [1, 2, 3].map((id) => randomDefault({ now })(id, undefined));

  test.each([
    ["2026-01-05T08:30", [100, 100, 100], "a Monday morning in January"],
    ["2026-01-05T05:59:59", [100, 0, 100], "before the morning"],
    ["2026-01-05T06:00", [100, 100, 100], "the morning's first minute"],
    ["2026-01-05T11:59:59.999", [100, 100, 100], "the morning's last"],
    ["2026-01-05T12:00", [100, 0, 100], "noon"],
    ["2026-01-04T23:59", [0, 0, 100], "the Sunday before"],
    ["2026-01-06T00:00", [0, 0, 100], "the Tuesday after"],
    ["2026-02-02T08", [100, 100, 0], "a Monday in February"],
    ["2025-12-31T08:00", [0, 100, 0], "the day before January"],
    ["2024-01-01", [100, 0, 100], "a date is its midnight"],
    ["0001-01-01T06:00", [100, 100, 100], "the first day of the calendar"],
  ])("%s → %j: %s", (now, weights) => expect(at(now)).toEqual(weights));

  test("an offset moves nothing: what is written is the local time, on every machine", () => {
    for (const offset of ["", "Z", "+00:00", "-11:00", "+1400", "+09"]) {
      expect(parseLocalTime(`2026-01-05T08:30:00${offset}`)).toEqual({ month: 1, weekday: 1, hour: 8 });
    }
  });

  test.each([
    "",
    "now",
    "2026",
    "2026-1-5",
    "2026-13-01",
    "2026-02-30",
    "2025-02-29",
    "2026-01-05T24:00",
    "2026-01-05T08:60",
    "2026-01-05T8:30",
    "x2026-01-05",
    "2026-01-05x",
    "1767600000000",
  ])("%j is not a date or a time", (now) => {
    expect(parseLocalTime(now)).toBeUndefined();
    const refusal = refusalOf(() => randomDefault({ now }));
    expect(refusal.code).toBe("argument.range");
    expect(refusal.issues[0].where).toEqual({ path: "now" });
  });

  test("a week runs from 1 on Monday to 7 on Sunday", () => {
    const days = ["05", "06", "07", "08", "09", "10", "11"].map((day) => parseLocalTime(`2026-01-${day}`)?.weekday);
    expect(days).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("29 February is a day in a leap year", () => {
    expect(parseLocalTime("2024-02-29")).toEqual({ month: 2, weekday: 4, hour: 0 });
  });

  test("the text of a clock is its local time", () => {
    expect(localTimeText(new Date(2026, 0, 5, 8, 3, 9))).toBe("2026-01-05T08:03:09");
    expect(parseLocalTime(localTimeText(new Date(2026, 11, 31, 23, 0)))).toEqual({ month: 12, weekday: 4, hour: 23 });
  });

  test.each([0, 4, -1, 1000])("script %s is unknown", (id) => {
    expect(refusalOf(() => randomDefault({ now: "2026-01-05" })(id, undefined)).code).toBe("table.unknown-script");
  });

  test("without a time it reads no clock of its own", () => {
    expect(refusalOf(() => randomDefault()(1, undefined)).code).toBe("argument.range");
    expect(refusalOf(() => randomDefault()(9, undefined)).code).toBe("table.unknown-script");
  });
});

describe("the arguments of the built-in sets", () => {
  test("are read from strings into plain data", () => {
    expect(parseScriptArgs("random_default", {})).toEqual({ args: { set: "random_default" }, issues: [] });
    expect(parseScriptArgs("random_default", { now: "2026-01-05T08:30" }).args).toEqual({
      set: "random_default",
      now: "2026-01-05T08:30",
    });
    expect(parseScriptArgs("nwangband", { level: "10", type: "0", spent: "1601, 1711" }).args).toEqual({
      set: "nwangband",
      level: 10,
      type: 0,
      spent: [1601, 1711],
    });
    expect(parseScriptArgs("nwangband", { spent: "" }).args).toEqual({ set: "nwangband", spent: [] });
  });

  test("make a set of scripts", () => {
    const morning = createScriptSet({ set: "random_default", now: "2026-01-06T08:30" });
    expect([1, 2, 3].map((id) => morning.script(id, undefined))).toEqual([0, 100, 100]);
    expect(morning.chosen).toBeUndefined();
    const { script } = createScriptSet({ set: "nwangband", level: 10, type: 5, spent: [1601, 1711] });
    expect([1010, 2005, 1601, 1711, 1602].map((id) => script(id, undefined))).toEqual([100, 100, 0, 0, 100]);
  });

  test("one-shot state may be kept outside", () => {
    const oneShots = createOneShots();
    const { chosen } = createScriptSet({ set: "nwangband", spent: [1601, 1711] }, { oneShots });
    chosen?.(1700, undefined);
    expect(oneShots).toEqual({ own: new Set([1601]), shared: new Set([1711, 1700]) });
  });

  test.each([
    ["random_default", { level: "1" }],
    ["random_default", { now: "noon" }],
    ["nwangband", { now: "x" }],
    ["nwangband", { constructor: "x" }],
    ["nwangband", { level: "1.5" }],
    ["nwangband", { level: "-1" }],
    ["nwangband", { level: "" }],
    ["nwangband", { level: "1000001" }],
    ["nwangband", { type: "300" }],
    ["nwangband", { spent: "1601,,1602" }],
    ["nwangband", { spent: "1500" }],
  ])("%s %j is refused", (set, args) => {
    const parsed = parseScriptArgs(set, args as Record<string, string>);
    expect(parsed.args).toBeUndefined();
    expect(parsed.issues.map(({ code, where }) => [code, where.path])).toEqual([
      ["argument.range", `script-arg ${Object.keys(args)[0]}`],
    ]);
  });

  test("every issue is found", () => {
    expect(parseScriptArgs("nwangband", { level: "x", type: "y", foo: "z" }).issues).toHaveLength(3);
  });

  test.each(["", "Random_Default", "toString", "__proto__"])("%j is not a set", (set) => {
    const { args, issues } = parseScriptArgs(set, {});
    expect(args).toBeUndefined();
    expect(issues.map((issue) => issue.code)).toEqual(["table.unknown-script"]);
  });
});
