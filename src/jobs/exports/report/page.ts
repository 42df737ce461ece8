import { hashOf } from "../../folder/checked.js";
import type { JobResult, Manifest } from "../../types.js";
import { type Distribution, type Row, shortened } from "./facts.js";
import { type Html, html, trusted } from "./html.js";
import { classText, type LayerFacts } from "./layers.js";
import { SCRIPT, STYLE } from "./style.js";
import type { JobTimes } from "./times.js";

export interface TerrainRow extends Row {
  readonly color: readonly [number, number, number];
}

export interface PlacementRow extends Row {
  readonly on: string;
  readonly density: string;
  readonly distance: number;
  /** The expected number is a lower bound. */
  readonly least: boolean;
}

interface ReportFacts {
  readonly manifest: Manifest;
  readonly result: JobResult;
  readonly png: Uint8Array;
  readonly layers: readonly LayerFacts[];
  readonly notKept: readonly string[];
  readonly terrains: readonly TerrainRow[];
  readonly placements: readonly PlacementRow[];
  readonly contents: readonly Distribution[];
  readonly bulk: readonly Distribution[];
  readonly times: JobTimes;
}

/** More standard deviations are shown in the colour of a warning. */
const FAR = 4;
/** Of a file of the world, in characters. */
const MAX_TEXT = 2 ** 15;

/** The page contains everything that it shows. Its content security policy forbids all connections. */
export function reportPage(facts: ReportFacts): string {
  const { name } = facts.manifest;
  const hash = Buffer.from(hashOf(SCRIPT), "hex").toString("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${name}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
${headOf(facts)}
<main>
${mapOf(facts)}
${terrainsOf(facts)}
${placementsOf(facts)}
${layersOf(facts)}
${distributionsOf("contents", "Contents of placements", facts.contents)}
${distributionsOf("bulk", "Results in bulk", facts.bulk)}
${timesOf(facts.times, facts.result)}
${specOf(facts.manifest)}
</main>
<footer>Made by Rollmill. The same seed and the same files give the same digest on every machine.</footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.text;
}

// ── sections ──

function headOf({ manifest, result, contents, bulk, times }: ReportFacts): Html {
  const { cells, steps, placements } = result.totals;
  const placed = Object.values(placements).reduce((sum, count) => sum + count, 0);
  const made = manifest.bulk.reduce((sum, { count }) => sum + count, 0);
  const links: [id: string, text: string][] = [
    ["map", "Map"],
    ["terrain", "Terrain"],
    ["placements", "Placements"],
    ["layers", "Layers"],
    ...(contents.length > 0 ? ([["contents", "Contents"]] as [string, string][]) : []),
    ...(bulk.length > 0 ? ([["bulk", "Results in bulk"]] as [string, string][]) : []),
    ["times", "Times"],
    ["spec", "How it was made"],
  ];
  return html`<header>
<h1>${manifest.name}</h1>
<p>World ${manifest.world}, seed <code>${manifest.seed}</code></p>
<p class="soft">Digest <code>${result.digest}</code></p>
<dl class="tiles">
${tile("cells", numberText(cells))}
${tile("steps", numberText(steps))}
${tile("placements", numberText(placed))}
${made > 0 ? tile("results in bulk", numberText(made)) : undefined}
${times.seconds > 0 ? tile("time", secondsText(times.seconds)) : undefined}
</dl>
<nav aria-label="Sections">${links.map(([id, text]) => html`<a href="#${id}">${text}</a> `)}</nav>
</header>`;
}

function tile(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function mapOf({ manifest, result: { extent }, png }: ReportFacts): Html {
  const { row0, col0, rows, cols } = extent;
  const where = `rows ${row0} to ${row0 + rows - 1}, columns ${col0} to ${col0 + cols - 1}`;
  const data = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  return html`<section id="map"><h2>Map</h2>
<div class="map">
<div id="view" tabindex="0" role="region" aria-label="Map, scrollable"><img src="${data}" alt="Map of ${manifest.name}: ${where}"></div>
<div class="zoom"><button id="in" type="button" aria-label="Zoom in">+</button><button id="out" type="button" aria-label="Zoom out">−</button></div>
</div>
<p class="soft">${numberText(rows)} × ${numberText(cols)} cells: ${where}.</p>
</section>`;
}

function terrainsOf({ terrains, result: { totals } }: ReportFacts): Html | undefined {
  if (terrains.length === 0) return undefined;
  const most = Math.max(1, ...terrains.map(({ count }) => count));
  const rows = terrains.map(
    (
      row,
    ) => html`<tr><th scope="row"><span class="swatch" style="background: rgb(${row.color.join(" ")})"></span>${row.result}</th>
${number(numberText(row.count))}${number(shareText(row.count / Math.max(1, totals.cells)))}${expectedCells(row)}
<td class="wide">${bar(row.count / most)}</td></tr>`,
  );
  return section("terrain", "Terrain", [
    html`<p class="soft">The expected number of cells is known for terrains that depend only on chance, not on layers.</p>`,
    card(table("Cells of each terrain", ["Terrain", "Cells", "Share", "Expected", "Deviation", ""], rows)),
  ]);
}

function placementsOf({ placements }: ReportFacts): Html | undefined {
  if (placements.length === 0) return undefined;
  const rows = placements.map(
    (
      row,
    ) => html`<tr><th scope="row">${row.result}</th><td>${row.on}</td>${number(row.density)}${number(String(row.distance))}
${number(numberText(row.count))}${number(row.expected === undefined ? "–" : `${row.least ? "≥ " : ""}${expectedText(row.expected)}`)}${deviation(row)}</tr>`,
  );
  const columns = ["Kind", "On", "Density", "Distance", "Count", "Expected", "Deviation"];
  return section("placements", "Placements", [
    html`<p class="soft">Expected: the exact density times the cells of the terrains. Where placements keep a distance, the
density is that of a large area; small patches hold more, so the number is a lower bound.</p>`,
    card(table("Placements of each kind", columns, rows, ["Kind", "On"])),
  ]);
}

function layersOf({ layers, notKept }: ReportFacts): Html {
  const summary = layers.map(
    ({ name, cells, visits, most }) =>
      html`<tr><th scope="row">${name}</th>${number(numberText(cells))}${number(numberText(visits))}${number(numberText(most))}</tr>`,
  );
  return section("layers", "Layers", [
    layers.length === 0
      ? html`<p>The job keeps the visits of no layer.</p>`
      : card(table("Visits of each layer", ["Layer", "Cells", "Visits", "Most visits of a cell"], summary)),
    notKept.length === 0 || layers.length === 0
      ? undefined
      : html`<p class="soft">The job does not keep the visits of ${notKept.join(", ")}.</p>`,
    html`<div class="cards" style="margin-top: 1rem">${layers.map(histogramOf)}</div>`,
  ]);
}

function histogramOf({ name, histogram }: LayerFacts): Html {
  const most = Math.max(1, ...histogram);
  const rows = histogram.map(
    (cells, k) =>
      html`<tr><th scope="row">${classText(k)}</th>${number(numberText(cells))}<td class="wide">${bar(cells / most)}</td></tr>`,
  );
  return html`<div class="card"><h3>${name}: visits of a cell</h3>${table(`Cells of layer ${name} by visits`, ["Visits", "Cells", ""], rows)}</div>`;
}

function distributionsOf(id: string, title: string, distributions: readonly Distribution[]): Html | undefined {
  if (distributions.length === 0) return undefined;
  return section(id, title, [
    html`<p class="soft">Counts beside the exact odds. A deviation is a number of standard deviations: about one in
sixteen thousand is beyond ${FAR}. Rare results have none, because their counts are not normally distributed.</p>`,
    html`<div class="cards">${distributions.map(distributionOf)}</div>`,
  ]);
}

function distributionOf({ title, note, rows }: Distribution): Html {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const hasOdds = rows.some(({ expected }) => expected !== undefined);
  const lines = shortened(rows).map(
    (row) => html`<tr><th scope="row">${row.result}</th>${number(numberText(row.count))}
${hasOdds ? expectedCells(row) : number(shareText(row.count / Math.max(1, total)))}</tr>`,
  );
  const columns = hasOdds ? ["Result", "Count", "Expected", "Deviation"] : ["Result", "Count", "Share"];
  return html`<div class="card"><h3>${title}</h3>${note === "" ? undefined : html`<p class="soft">${note}</p>`}
<div class="tall" tabindex="0" role="region" aria-label="${title}">${table(title, columns, lines)}</div></div>`;
}

function timesOf({ created, finished, threads, phases, seconds }: JobTimes, { totals }: JobResult): Html {
  const rows = phases.map(
    ({ phase, tasks, seconds: some }) =>
      html`<tr><th scope="row">${phase}</th>${number(numberText(tasks))}${number(secondsText(some))}</tr>`,
  );
  const rate = seconds > 0 ? `${rateText(totals.cells / seconds)} cells a second over all phases.` : "";
  return section("times", "Times", [
    html`<p class="soft">Created ${created ?? "at an unknown time"}, finished ${finished ?? "at an unknown time"}.
${threads.length === 0 ? undefined : `Threads of each run: ${threads.join(", ")}.`} ${rate}</p>`,
    phases.length === 0 ? undefined : card(table("Time of each phase", ["Phase", "Tasks", "Time"], rows)),
  ]);
}

function specOf({ files, main, code, ...manifest }: Manifest): Html {
  const names = [main, ...Object.keys(files).filter((name) => name !== main)];
  return section("spec", "How it was made", [
    html`<p class="soft">SHA-256 of the code: <code>${code}</code>.</p>`,
    html`<details open><summary>Job</summary><pre tabindex="0">${JSON.stringify(manifest, undefined, 2)}</pre></details>`,
    ...names.map(
      (name) =>
        html`<details><summary>World file <code>${name}</code></summary><pre tabindex="0">${cut(files[name] ?? "")}</pre></details>`,
    ),
  ]);
}

/** Long word lists must not make the page large. */
function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… and ${numberText(text.length - MAX_TEXT)} more characters`;
}

// ── pieces ──

function section(id: string, title: string, parts: readonly (Html | undefined)[]): Html {
  return html`<section id="${id}"><h2>${title}</h2>
${parts}
</section>`;
}

function card(content: Html): Html {
  return html`<div class="card">${content}</div>`;
}

/** The first column has the headers of the rows. Columns that are not in `texts` have numbers. */
function table(
  caption: string,
  columns: readonly string[],
  rows: readonly Html[],
  texts: readonly string[] = columns.slice(0, 1),
): Html {
  const heads = columns.map((title) =>
    title === ""
      ? html`<td></td>`
      : html`<th scope="col"${trusted(texts.includes(title) ? "" : ' class="number"')}>${title}</th>`,
  );
  return html`<div class="scroll"><table><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>
${rows}
</tbody></table></div>`;
}

function number(text: string): Html {
  return html`<td class="number">${text}</td>`;
}

function bar(share: number): Html {
  return html`<span class="bar" style="width: ${(100 * share).toFixed(2)}%"></span>`;
}

function expectedCells(row: Row): Html {
  return html`${number(row.expected === undefined ? "–" : expectedText(row.expected))}${deviation(row)}`;
}

function deviation({ deviation: sigmas }: Row): Html {
  if (sigmas === undefined) return number("–");
  const text = `${sigmas < 0 ? "−" : "+"}${Math.abs(sigmas).toFixed(1)} σ`;
  return Math.abs(sigmas) > FAR ? html`<td class="number far">${text}</td>` : number(text);
}

function expectedText(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 1000 ? 1 : 0 });
}

function numberText(value: number): string {
  return value.toLocaleString("en");
}

function shareText(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.0001 ? 4 : 2)} %`;
}

function secondsText(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function rateText(rate: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(rate);
}
