// The views of lists and tables beside the functions of the library.
import { describe, expect, test } from "vitest";
import { createMill, toNumber } from "../../src/index.js";
import { numberOf, wait } from "../../src/instruments/index.js";
import { isMissing, LONG, type, Workbench } from "./page.js";

const SCRIPTED = `{
  "rows": {
    "Chest": [{ "result": "gold", "weight": 6 }, { "jump": "Rare", "weight": { "script": "luck" } }],
    "Rare": [{ "result": "crown", "weight": 1 }, { "jump": "Chest", "weight": 1 }]
  }
}`;
const soon = <T>(read: () => T) => expect.poll(read, LONG);
const exact = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) => `${numerator}/${denominator}`;

describe.skipIf(isMissing)("the odds of", () => {
  const bench = new Workbench();
  const { show, texts, chances } = bench;
  /** Shows a text as JSON: the name of the file decides how a text is read. */
  const typeJson = async (text: string) => {
    await show("What an orc drops");
    await type(bench.page, text);
  };

  test("a list have the curve of the waiting time", async () => {
    await type(bench.page, "result,weight\ngold,399\ncrown,1\n");
    await soon(chances).toMatchObject({ crown: "1/400" });
    await bench.page.click('.odds button:has-text("crown")');
    await bench.page.waitForSelector(".curve");
    const tries = wait(createMill({ seed: 1 }).weighted("loot", { gold: 399, crown: 1 }), "crown");
    const named = (await bench.page.locator(".curve text").allTextContents()).slice(3);
    expect(named).toEqual(["277", "920", "1,840"]);
    // each point of the line is a point of the distribution
    const line = (await bench.page.locator(".curve .line").getAttribute("d")) ?? "";
    const [, n, share] = line.split("L").map((point) => point.split(" ").map(Number));
    expect(line.split("L").length).toBeGreaterThan(50);
    const points = tries.points({ until: "199/200", most: 80 });
    const last = points[points.length - 1].n;
    expect(n[0]).toBeCloseTo(56 + (points[0].n / last) * (640 - 56 - 50), 6);
    expect(share[1]).toBeCloseTo(160 - numberOf(points[1].upTo) * 148, 6);
  });

  test("a table follow the sliders of its scripts and the row where rolls start", async () => {
    await typeJson(SCRIPTED);
    const table = createMill({ seed: 1 }).table("loot", SCRIPTED);
    const expected = (options: object) => {
      return Object.fromEntries(
        table.odds(options).odds.map(({ result, probability }) => [result, exact(probability)]),
      );
    };
    await soon(chances).toEqual(expected({ weights: { luck: 1 } }));
    await bench.page.locator(".sliders input").fill("4");
    await soon(chances).toEqual(expected({ weights: { luck: 4 } }));
    await bench.page.selectOption(".bar select >> nth=0", { label: "Rare" });
    await soon(chances).toEqual(expected({ weights: { luck: 4 }, start: "Rare" }));
    // the link has both
    await bench.page.waitForTimeout(600);
    const link = bench.page.url();
    await bench.page.goto("about:blank");
    await bench.page.goto(link);
    await soon(chances).toEqual(expected({ weights: { luck: 4 }, start: "Rare" }));
  });

  test("a table have a graph with the visits of each row", async () => {
    await typeJson(SCRIPTED);
    await soon(chances).toHaveProperty("crown");
    await bench.page.click("summary:has-text('How rolls move')");
    await bench.page.waitForSelector(".graph svg");
    const { rows } = createMill({ seed: 1 })
      .table("loot", SCRIPTED)
      .odds({ weights: { luck: 1 } });
    const visits = rows.map(({ visits: some }) => (some === null ? 0 : toNumber(some)));
    const [chest, rare] = visits.map((some) =>
      some < 1.05 ? `${(100 * some).toPrecision(2)} %` : `${some.toFixed(1)} ×`,
    );
    expect(await bench.page.locator(".graph svg").getAttribute("aria-label")).toBe(
      `Visits: Chest ${chest}, Rare ${rare}`,
    );
    expect(await bench.page.locator(".graph .jump").count()).toBe(2);
  });

  test("a list follow a dragged bar", async () => {
    await type(bench.page, "result,weight\ngold,3\ncrown,1\n");
    await soon(chances).toEqual({ gold: "3/4", crown: "1/4" });
    const bar = await bench.page.locator(".track").nth(1).boundingBox();
    if (bar === null) throw new Error("the bar is not visible");
    await bench.page.mouse.move(bar.x + bar.width / 3, bar.y + 4);
    await bench.page.mouse.down();
    await bench.page.mouse.move(bar.x + bar.width / 2, bar.y + 4);
    await bench.page.mouse.move(bar.x + (bar.width * 2) / 3, bar.y + 4);
    // the whole width is 3/4, so two thirds of it are 1/2
    await soon(chances).toEqual({ gold: "1/2", crown: "1/2" });
    await bench.page.mouse.up();
    expect(await texts(".odds td[data-change]")).toEqual(["−25.0 %", "+25.0 %"]);
  });

  test("a jump to a row that does not exist get a sentence", async () => {
    await typeJson(SCRIPTED.replace('"Chest", "weight": 1', '"Nowhere", "weight": 1'));
    await bench.page.waitForSelector('.issues [data-severity="error"]');
    expect((await texts(".issues"))[0]).toContain("Nowhere");
  });
});
