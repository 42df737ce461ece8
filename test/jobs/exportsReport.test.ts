import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decode } from "fast-png";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { html } from "../../src/jobs/exports/report/page.js";
import { exportJob, type JobInput } from "../../src/jobs/index.js";
import { EXTENT, type FinishedJob, finishedJob, JOB, WORLD, windowOf } from "./exportedJob.js";

const BULK = [
  { name: "storeroom", table: "stores", count: 5000 },
  { name: "smithy", recipe: "weapon", count: 2000, tier: 2 },
] as const;

let made: FinishedJob;
let page: string;
beforeAll(async () => {
  made = await finishedJob({ ...JOB, bulk: BULK });
  page = await reportOf(made);
});
afterAll(() => made.remove());

async function reportOf({ job, folder }: FinishedJob): Promise<string> {
  await exportJob(job, "report", { to: join(folder, "report.html") });
  return readFile(join(folder, "report.html"), "utf8");
}

/** Returns the cells of the table rows whose header is `name`, for the whole page. */
function rowsOf(name: string): string[][] {
  const rows = [...page.matchAll(/<tr><th scope="row">(?:<span[^>]*><\/span>)?([^<]*)<\/th>(.*?)<\/tr>/gs)];
  return rows
    .filter(([, header]) => header === name)
    .map(([, , cells]) => [...cells.matchAll(/<td[^>]*>([^<]*)/g)].map(([, text]) => text));
}

const numberText = (value: number) => value.toLocaleString("en");

describe("its numbers are those of the job", () => {
  test("cells of each terrain, placements of each kind, digest and seed", () => {
    const { terrain, placements } = made.result.totals;
    for (const [name, count] of Object.entries(terrain)) expect(rowsOf(name)[0][0]).toBe(numberText(count));
    for (const [name, count] of Object.entries(placements)) expect(rowsOf(name)[0][3]).toBe(numberText(count));
    expect(page).toContain(made.result.digest);
    expect(page).toContain("<code>moria</code>");
  });

  test("visits of each layer", () => {
    const own = windowOf(EXTENT);
    for (const layer of ["land", "woods"]) {
      const visits = own.visits(layer);
      const sum = visits.reduce((total, count) => total + count, 0);
      const visited = visits.filter((count) => count > 0).length;
      const most = visits.reduce((max, count) => Math.max(max, count), 0);
      const row = rowsOf(layer).find((cells) => cells.length === 6) ?? [];
      expect([row[0], row[2], row[5]]).toEqual([visited, sum, most].map(numberText));
      expect(row[4]).toBe((sum / visits.length).toPrecision(3));
      // the woods are scattered: the mean of their visits is known
      const expected = (visits.length * 6 * 151) / 256 ** 2;
      expect(row[3]).toBe(layer === "land" ? "–" : expected.toLocaleString("en", { maximumFractionDigits: 1 }));
    }
  });

  test("exact odds where the library knows them: terrain by chance, tables, pools, words", () => {
    const { cells, terrain, placements } = made.result.totals;
    expect(rowsOf("crystal")[0][2]).toBe((cells / 50).toLocaleString("en", { maximumFractionDigits: 0 }));
    expect(rowsOf("sea")[0][2]).toBe("–");
    const expected = terrain.land / 20;
    const text = expected.toLocaleString("en", { maximumFractionDigits: expected < 1000 ? 1 : 0 });
    expect(rowsOf("stores")[0][4]).toBe(text);
    const bread = rowsOf("bread").map((row) => row[1]);
    expect(bread).toEqual([(placements.stores / 2).toLocaleString("en", { maximumFractionDigits: 1 }), "2,500"]);
    expect(rowsOf("rat")[0][1]).toBe(((placements.beast * 3) / 4).toLocaleString("en", { maximumFractionDigits: 1 }));
    expect(page).toContain("smithy: type of weapon");
    // no roll, one roll or two rolls, each with a chance of 2/3
    const tooth = (placements.camp * (2 / 3 + 8 / 9)) / 3;
    expect(rowsOf("tooth")[0][1]).toBe(tooth.toLocaleString("en", { maximumFractionDigits: 1 }));
    const [hay, ...herbs] = ["hay", "mint", "thyme"].map((name) => Number(rowsOf(name)[0][0].replaceAll(",", "")));
    expect(rowsOf("hay")[0][1]).toBe(`${hay}`);
    expect(hay + herbs[0] + herbs[1]).toBe(placements.camp);
    for (const title of ["camp, loot: table herbs", "camp, relic: pool relics", "camp, guard: drops orc"]) {
      expect(page).toContain(title);
    }
  });

  test("no count is far from its odds", () => {
    expect(page).not.toContain('class="number far"');
  });

  test("a part in bulk has all its results", () => {
    const counts = ["bread", "rope", "(none)"].map((name) => Number(rowsOf(name).at(-1)?.[0].replaceAll(",", "")));
    // "(none)" occurs in the tables of words too
    expect(counts[0] + counts[1]).toBeLessThan(5000);
    expect(counts[0] + counts[1]).toBeGreaterThan(3500);
  });
});

describe("it is one page", () => {
  test("without a reference to anything outside it", () => {
    const body = page.replace(/<pre.*?<\/pre>/gs, "").replace(/base64,[^"]*/, "");
    expect(body).not.toMatch(/https?:|\/\/|url\(|@import|<link|<iframe|srcset/);
    const sources = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link.slice(0, 15));
    expect(sources.every((link) => link.startsWith("#") || link === "data:image/png;")).toBe(true);
    expect(page).toContain("default-src &#39;none&#39;");
  });

  test("with the map, which has a text for readers that cannot see it", () => {
    const [, alt] = /<img [^>]*alt="([^"]*)"/.exec(page) ?? [];
    expect(alt).toBe("Map of shelf: rows -130 to 169, columns -70 to 149");
    const [, data] = /src="data:image\/png;base64,([^"]*)"/.exec(page) ?? [];
    const { width, height } = decode(Buffer.from(data ?? "", "base64"));
    expect(Math.min(width, height)).toBeGreaterThan(100);
  });

  test("with a heading for each section and headers for each table", () => {
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const ids = [...page.matchAll(/<section id="([^"]*)"><h2>/g)].map(([, id]) => id);
    const links = [...page.matchAll(/<a href="#([^"]*)">/g)].map(([, id]) => id);
    expect(ids).toEqual(links);
    for (const [, head] of page.matchAll(/<table>(.*?)<tbody>/gs)) expect(head).toMatch(/<caption>.*<th scope="col"/s);
  });
});

test("names of a spec are texts: they add no element, no attribute and no script", async () => {
  const evil = `<script>alert("x")</script>"' onload=alert(1) &amp;`;
  const { layers, terrain = [], placements = [], tables, realms: _, ...rest } = WORLD;
  const [, , , sea] = terrain;
  const world = {
    ...rest,
    name: evil,
    layers: layers.map((layer) => ({ ...layer, name: `${layer.name}${evil.replaceAll("/", "")}` })),
    terrain: [{ ...sea, terrain: evil }],
    placements: [{ ...placements[0], name: evil, on: [evil], content: { table: evil } }],
    tables: { [evil]: { rows: { a: [{ result: evil, weight: 1 }] } } },
  };
  const bulk = [{ name: evil, table: evil, count: 10 }];
  const input = {
    name: evil,
    world,
    seed: evil,
    bulk,
    extent: { ...EXTENT, rows: 40, cols: 40 },
  } as unknown as JobInput;
  const hostile = await finishedJob(input);
  const text = await reportOf(hostile);
  expect(tables).toBeDefined();
  expect(text).toContain("&#60;script&#62;alert(&#34;x&#34;)");
  expect(text).not.toContain("<script>alert");
  // outside of the quotes of attributes
  expect(text.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\sonload=/);
  expect(text.match(/<script>/g)).toHaveLength(1);
  await hostile.remove();
});

test("a template escapes every value that is not HTML", () => {
  const inner = html`<b>${"<&>\"'"}</b>`;
  expect(inner.text).toBe("<b>&#60;&#38;&#62;&#34;&#39;</b>");
  expect(html`<i title="${'"'}">${[inner, 3, undefined, "<"]}</i>`.text).toBe(
    `<i title="&#34;">${inner.text}3&#60;</i>`,
  );
});
