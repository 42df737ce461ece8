import { describe, expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({
  "loot.2da": SEED_TABLE,
  // half of the rolls are dead, a sixth never ends
  "loop.2da":
    "  Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight\n0 ra 2 1 3 2 1\n1 rb s1 **** ****\n2 2 s2 ra s1\n",
});
/** The fractions of Monday morning, as the page's example has it with both scripts at 100. */
const MORNING: [result: string, numerator: string, denominator: string][] = [
  ["0", "11", "178"],
  ["1", "55", "356"],
  ["2", "55", "89"],
  ["4", "55", "801"],
  ["5", "55", "801"],
  ["6", "55", "3204"],
  ["10", "1", "89"],
];
const HUNDREDS = ["--weight", "1=100", "--weight", "2=100"];
const odds = (...args: string[]) => rollmill(["table", "odds", ...args], { cwd });

describe("table odds", () => {
  test("--json: the seed's table gives its fractions, in lowest terms, and the rows visited", async () => {
    const { code, stdout, stderr } = await odds("loot.2da", "--json", ...HUNDREDS);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const never = { numerator: "0", denominator: "1", probability: 0 };
    expect(dataOf(stdout)).toEqual({
      odds: MORNING.map(([result, numerator, denominator]) => ({
        result,
        numerator,
        denominator,
        probability: Number(numerator) / Number(denominator),
      })),
      none: never,
      endless: never,
      rowsVisited: { numerator: "2079", denominator: "1780", value: 2079 / 1780 },
    });
  });

  test("text: result, fraction and six digits, with tabs between", async () => {
    const { stdout, stderr } = await odds("loot.2da", ...HUNDREDS);
    const lines = MORNING.map(([result, top, bottom]) => {
      return `${result}\t${top}/${bottom}\t${(Number(top) / Number(bottom)).toPrecision(6)}\n`;
    });
    expect(stdout).toBe(lines.join(""));
    expect(stderr).toBe("rows visited: 1.16798\n");
  });

  test("--rows: how often a roll visits each row, with its label", async () => {
    const { stdout } = await odds("loot.2da", "--rows", ...HUNDREDS);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(lines.map(([row, label]) => [row, label])).toEqual([
      ["0", "Start"],
      ["1", "Set1"],
      ["2", "Set2"],
    ]);
    expect(lines.reduce((sum, [, , , visits]) => sum + Number(visits), 0)).toBeCloseTo(2079 / 1780, 5);
    const { rows } = dataOf((await odds("loot.2da", "--rows", "--json", ...HUNDREDS)).stdout);
    expect(rows.map(({ row, label, visits }: never) => [row, label, visits])).toEqual(
      lines.map(([row, label, fraction]) => {
        const [numerator, denominator] = fraction.split("/");
        return [Number(row), label, { numerator, denominator, value: Number(numerator) / Number(denominator) }];
      }),
    );
    expect((await odds("loop.2da", "--rows", "--weight", "1=0", "--weight", "2=1")).stdout).toContain("2\t\tendless\n");
  });

  test("a Monday morning gives the same, and an evening other ones", async () => {
    const [morning, evening, fixed] = await Promise.all([
      odds("loot.2da", "--json", "--script-arg", "now=2026-01-05T08:30"),
      odds("loot.2da", "--json", "--script-arg", "now=2026-01-05T20:30"),
      odds("loot.2da", "--json", ...HUNDREDS),
    ]);
    expect(morning.stdout).toBe(fixed.stdout);
    expect(evening.stdout).not.toBe(fixed.stdout);
  });

  test("rolls without a result and endless rolls have chances too; rows visited are then unknown", async () => {
    const weights = ["--weight", "1=0", "--weight", "2=5"];
    const { stdout } = await odds("loop.2da", "--json", ...weights);
    expect(dataOf(stdout)).toEqual({
      odds: [
        { result: "a", numerator: "1", denominator: "3", probability: 1 / 3 },
        { result: "b", numerator: "0", denominator: "1", probability: 0 },
      ],
      none: { numerator: "1", denominator: "2", probability: 0.5 },
      endless: { numerator: "1", denominator: "6", probability: 1 / 6 },
      rowsVisited: null,
    });
    const text = await odds("loop.2da", ...weights);
    expect(text.stdout).toBe("a\t1/3\t0.333333\nb\t0/1\t0.00000\n(none)\t1/2\t0.500000\n(endless)\t1/6\t0.166667\n");
    expect(text.stderr).toBe("");
  });

  test("from another row, from stdin; a missing row is refused", async () => {
    const { stdout } = await rollmill(["table", "odds", "-", "--start", "2", "--weight", "1=30"], {
      input: SEED_TABLE,
    });
    // in the order of the file, wherever a roll starts
    expect(stdout.match(/^\d+/gm)).toEqual(["0", "1", "2", "4", "5", "6", "10"]);
    expect(stdout).toMatch(/^10\t243\/323\t0\.752322$/m);
    const none = await odds("loop.2da", "--start", "9");
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toMatch(/^loop\.2da: .*got 9, expected a row from 0 to 2 \[table\.start\]\n$/);
  });

  test("100 million counted rolls of the seed's table pass chi-square against them at 10^-6", async () => {
    const args = ["--seed", "moria", "-n", "100000000", "--count", "--json", ...HUNDREDS];
    const { code, stdout } = await rollmill(["table", "roll", "loot.2da", ...args], { cwd });
    const { total, counts, none } = dataOf(stdout) as {
      total: number;
      counts: { result: string; count: number }[];
      none: number;
    };
    expect({ code, total, none }).toEqual({ code: 0, total: 1e8, none: 0 });
    expect(counts.map(({ result }) => result)).toEqual(MORNING.map(([result]) => result));
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    const statistic = MORNING.reduce((sum, [, top, bottom], i) => {
      const expected = (total * Number(top)) / Number(bottom);
      return sum + (counts[i].count - expected) ** 2 / expected;
    }, 0);
    // the upper tail of chi-square with 6 degrees of freedom, in closed form
    const half = statistic / 2;
    expect(Math.exp(-half) * (1 + half + half ** 2 / 2)).toBeGreaterThan(1e-6);
  });
});
