import { MAP_SCRIPT } from "../../../formats/maps/mapScript.js";
import type { WorldOdds } from "../../../worlds/odds.js";
import { hashOf } from "../../folder/store.js";
import type { ExportSource } from "../source.js";
import { type Distribution, type JobTimes, type LayerFacts, type Row, shortened, trialRow } from "./facts.js";
import { STYLE } from "./style.js";

interface ReportFacts {
  readonly odds: WorldOdds;
  readonly png: Uint8Array;
  readonly layers: readonly LayerFacts[];
  readonly contents: readonly Distribution[];
  readonly bulk: readonly Distribution[];
  readonly times: JobTimes;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly (Html | undefined)[];
}

/** A count that is more than this number of standard deviations from the expected count gets a warning colour. */
const FAR = 4;
const MAX_TEXT = 2 ** 15;
/** The titles of the columns that {@link expectedCells} returns. */
const EXPECTED = ["Expected count", "Deviation from expected"];
const OF_MOST = "Compared with the largest";
const MEAN = "Mean visits of a cell";

/** Returns a page that loads nothing from outside. Its content security policy forbids all connections. */
export function reportPage(source: ExportSource, facts: ReportFacts): string {
  const { name } = source.job.manifest;
  const hash = Buffer.from(hashOf(MAP_SCRIPT), "hex").toString("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  const sections = [
    mapOf(source, facts.png),
    ...terrainsOf(source, facts.odds),
    ...placementsOf(source, facts.odds),
    layersOf(source, facts.layers),
    ...distributionsOf("contents", "Contents of placements", facts.contents),
    ...distributionsOf("bulk", "Results in bulk", facts.bulk),
    timesOf(source, facts.times),
    specOf(source),
  ];
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
<header>
${headOf(source, facts.times)}
<nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
</header>
<main>${sections.map(({ id, title, parts }) => html`\n<section id="${id}"><h2>${title}</h2>\n${parts}\n</section>`)}
</main>
<footer>Made by Rollmill. The same seed and the same files give the same digest on every machine.</footer>
<script>${trusted(MAP_SCRIPT)}</script>
</body>
</html>
`.text;
}

function headOf({ job: { manifest }, result }: ExportSource, { seconds }: JobTimes): Html {
  const { cells, steps, placements } = result.totals;
  const made = manifest.bulk.reduce((sum, { count }) => sum + count, 0);
  const tiles = [
    ["cells", numberText(cells)],
    ["steps", numberText(steps)],
    ["placements", numberText(Object.values(placements).reduce((sum, count) => sum + count, 0))],
    ...(made > 0 ? [["results in bulk", numberText(made)]] : []),
    ...(seconds > 0 ? [["time", secondsText(seconds)]] : []),
  ];
  return html`<h1>${manifest.name}</h1>
<p>World ${manifest.world}, seed <code>${manifest.seed}</code></p>
${soft(html`Digest <code>${result.digest}</code>`)}
<dl class="tiles">${tiles.map(([name, value]) => html`\n<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;
}

function mapOf({ job: { manifest }, window }: ExportSource, png: Uint8Array): Section {
  const { row0, col0, rows, cols } = window;
  const where = `rows ${row0} to ${row0 + rows - 1}, columns ${col0} to ${col0 + cols - 1}`;
  const data = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const map = html`<div class="map"><img src="${data}" alt="Map of ${manifest.name}: ${where}"></div>`;
  const size = `${numberText(rows)} × ${numberText(cols)} cells: ${where}.`;
  return { id: "map", title: "Map", parts: [map, soft(size)] };
}

function terrainsOf({ job: { spec }, result: { totals } }: ExportSource, odds: WorldOdds): Section[] {
  if (spec.terrains.length === 0) return [];
  const most = Math.max(1, ...Object.values(totals.terrain));
  const rows = spec.terrains.map(({ name, color }, i) => {
    const count = totals.terrain[name];
    const p = odds.terrains[i].share?.value;
    const row = p === undefined ? { result: name, count } : trialRow(name, count, totals.cells, p);
    const swatch = html`<span class="swatch" style="background: rgb(${color.join(" ")})"></span>${name}`;
    return [swatch, numberText(count), shareText(count, totals.cells), ...expectedCells(row), bar(count / most)];
  });
  const note = "The expected number of cells is known for terrains that depend only on chance, not on layers.";
  const columns = ["Terrain", "Cells", "Share of all cells", ...EXPECTED, OF_MOST];
  return [
    { id: "terrain", title: "Terrain", parts: [soft(note), card(table("Cells of each terrain", columns, rows))] },
  ];
}

function placementsOf({ job: { spec }, result: { totals } }: ExportSource, odds: WorldOdds): Section[] {
  if (spec.placements.length === 0) return [];
  const rows = spec.placements.map(({ name, terrains, density, distance, at, least, most }, i) => {
    // nothing is expected of a kind whose number is fixed in some places
    const isEven = at.length === 0 && least === undefined && most === undefined;
    const { standing, perCell } = isEven ? odds.placements[i] : {};
    const names = terrains.map((terrain) => spec.terrains[terrain].name);
    const cells = names.length === 0 ? totals.cells : names.reduce((sum, terrain) => sum + totals.terrain[terrain], 0);
    const isWhole = terrains.length === 0 || names.length === spec.terrains.length;
    const count = totals.placements[name];
    const row = standing === undefined ? { result: name, count } : trialRow(name, count, cells, standing.value);
    // placements with a minimum distance are not independent: their number varies less than `trialRow` assumes
    const apart = { ...row, deviation: undefined, ...(perCell && { expected: totals.cells * perCell.value }) };
    const [expected, deviation] = expectedCells(distance === 0 ? row : apart);
    const isLeast = standing !== undefined && distance > 0 && perCell === undefined && !isWhole;
    return [
      name,
      html`<td>${isWhole ? "everywhere" : names.join(", ")}</td>`,
      `${density.numerator}/${density.denominator}`,
      String(distance),
      numberText(count),
      isLeast ? `≥ ${expected}` : expected,
      deviation,
    ];
  });
  const columns = ["Kind", "On", "Density", "Distance", "Count", ...EXPECTED];
  const note = `Expected: the exact density times the cells of the terrains. For placements with a minimum distance,
this is the density in a large area. Small patches contain more, so the expected number is a lower bound. Nothing is
expected of kinds that depend on other kinds, fields, layers or single cells.`;
  const counts = card(table("Placements of each kind", columns, rows, ["Kind", "On"]));
  return [{ id: "placements", title: "Placements", parts: [soft(note), counts] }];
}

function layersOf(source: ExportSource, layers: readonly LayerFacts[]): Section {
  const { manifest, spec } = source.job;
  const names = spec.walk.layers.map(({ name }) => name);
  const dropped = names.filter((name) => !manifest.visits.includes(name));
  const all = source.result.totals.cells;
  const rows = layers.map(({ name, cells, visits, most, expected }) => [
    name,
    numberText(cells),
    shareText(cells, all),
    numberText(visits),
    expectedCells({ result: name, count: visits, expected })[0],
    (visits / Math.max(1, all)).toPrecision(3),
    numberText(most),
  ]);
  const columns = [
    "Layer",
    "Visited cells",
    "Share of all cells",
    "Visits",
    EXPECTED[0],
    MEAN,
    "Most visits of a cell",
  ];
  const note = `Expected: the mean number of visits. It is known for scattered layers whose walkers start on any cell and
take all their steps. Walkers that cross the border of the map make the real number differ.`;
  const parts =
    layers.length === 0
      ? [html`<p>The job does not keep the visits of any layer.</p>`]
      : [
          soft(note),
          card(table("Visits of each layer", columns, rows)),
          dropped.length === 0 ? undefined : soft(`The job does not keep the visits of ${dropped.join(", ")}.`),
          html`<div class="cards" style="margin-top: 1rem">${layers.map(histogramOf)}</div>`,
        ];
  return { id: "layers", title: "Layers", parts };
}

function histogramOf({ name, histogram }: LayerFacts): Html {
  const most = Math.max(1, ...histogram);
  const rows = histogram.map((cells, k) => [classText(k), numberText(cells), bar(cells / most)]);
  const counts = table(`Cells of layer ${name} by visits`, ["Visits", "Cells", OF_MOST], rows);
  return card(html`<h3>${name}: visits of a cell</h3>${counts}`);
}

/** Returns the label of entry k of a histogram. Entry 3 counts the cells with 4 to 7 visits, so its label is 4–7. */
function classText(k: number): string {
  return k < 2 ? String(k) : `${numberText(2 ** (k - 1))}–${numberText(2 ** k - 1)}`;
}

function distributionsOf(id: string, title: string, distributions: readonly Distribution[]): Section[] {
  if (distributions.length === 0) return [];
  const note = `Counts beside the exact odds. A deviation is a number of standard deviations: about one in
sixteen thousand is beyond ${FAR}. Rare results have no deviation: their counts are not normally distributed.`;
  return [{ id, title, parts: [soft(note), html`<div class="cards">${distributions.map(distributionOf)}</div>`] }];
}

function distributionOf({ title, note, rows }: Distribution): Html {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const hasOdds = rows.some(({ expected }) => expected !== undefined);
  const lines = shortened(rows).map((row) => [
    row.result,
    numberText(row.count),
    ...(hasOdds ? expectedCells(row) : [shareText(row.count, total)]),
  ]);
  const columns = ["Result", "Count", ...(hasOdds ? EXPECTED : ["Share of the listed counts"])];
  return card(html`<h3>${title}</h3>${note === "" ? undefined : soft(note)}
<div class="tall" tabindex="0" role="region" aria-label="${title}">${table(title, columns, lines)}</div>`);
}

function timesOf({ result }: ExportSource, { created, finished, threads, phases, seconds }: JobTimes): Section {
  const rows = phases.map(({ phase, tasks, seconds: some }) => [
    phase,
    numberText(tasks),
    secondsText(some),
    shareText(some, seconds),
  ]);
  const rate = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
  const notes = [
    `Created ${created ?? "at an unknown time"}, finished ${finished ?? "at an unknown time"}.`,
    ...(threads.length > 0 ? [`Threads of each run: ${threads.join(", ")}.`] : []),
    ...(seconds > 0 ? [`${rate.format(result.totals.cells / seconds)} cells a second over all phases.`] : []),
  ];
  const times =
    rows.length > 0
      ? card(table("Time of each phase", ["Phase", "Tasks", "Time", "Share of all phases"], rows))
      : undefined;
  return { id: "times", title: "Times", parts: [soft(notes.join(" ")), times] };
}

function specOf({ job: { manifest } }: ExportSource): Section {
  const { files, main, code, ...spec } = manifest;
  const names = [main, ...Object.keys(files).filter((name) => name !== main)];
  const parts = [
    soft(html`SHA-256 of the code: <code>${code}</code>.`),
    html`<details open><summary>Job</summary><pre tabindex="0">${JSON.stringify(spec, undefined, 2)}</pre></details>`,
    ...names.map(
      (name) =>
        html`<details><summary>World file <code>${name}</code></summary><pre tabindex="0">${cut(files[name] ?? "")}</pre></details>`,
    ),
  ];
  return { id: "spec", title: "How it was made", parts };
}

/** Shortens the text of a file: long word lists must not make the page large. */
function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… and ${numberText(text.length - MAX_TEXT)} more characters`;
}

function soft(note: string | Html): Html {
  return html`<p class="soft">${note}</p>`;
}

function card(content: Html): Html {
  return html`<div class="card">${content}</div>`;
}

/** The first cell of a row is its header. Each other cell is a number as text, or a complete `<td>` element. */
function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
  texts: readonly string[] = columns.slice(0, 1),
): Html {
  const heads = columns.map((title) =>
    title === ""
      ? html`<td></td>`
      : html`<th scope="col"${trusted(texts.includes(title) ? "" : ' class="number"')}>${title}</th>`,
  );
  const cell = (value: string | Html) => (typeof value === "string" ? html`<td class="number">${value}</td>` : value);
  const lines = rows.map(([head, ...cells]) => html`\n<tr><th scope="row">${head}</th>${cells.map(cell)}</tr>`);
  return html`<div class="scroll"><table><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${lines}
</tbody></table></div>`;
}

function bar(share: number): Html {
  return html`<td class="wide"><span class="bar" style="width: ${(100 * share).toFixed(2)}%"></span></td>`;
}

function expectedCells({ expected, deviation }: Row): [string, string | Html] {
  const digits = { maximumFractionDigits: expected !== undefined && expected < 1000 ? 1 : 0 };
  const text = expected === undefined ? "–" : expected.toLocaleString("en", digits);
  if (deviation === undefined) return [text, "–"];
  const sigmas = `${deviation < 0 ? "−" : "+"}${Math.abs(deviation).toFixed(1)} σ`;
  return [text, Math.abs(deviation) > FAR ? html`<td class="number far">${sigmas}</td>` : sigmas];
}

function numberText(value: number): string {
  return value.toLocaleString("en");
}

function shareText(count: number, total: number): string {
  const share = count / Math.max(1, total);
  return `${(100 * share).toFixed(share > 0 && share < 0.0001 ? 4 : 2)} %`;
}

function secondsText(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** A piece of HTML. Texts become HTML only through {@link html}, which escapes them. */
interface Html {
  readonly text: string;
}

/** A value in a template of {@link html}. A list is joined without a separator. Undefined becomes an empty text. */
type Value = string | number | Html | undefined | readonly Value[];

/** Escapes every value that is not {@link Html}. A value may also be inside a quoted attribute. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Html {
  return trusted(template.map((text, i) => (i === 0 ? text : `${textOf(values[i - 1])}${text}`)).join(""));
}

/** Makes HTML without escaping. Call it only for texts that this program contains, such as style sheets. */
function trusted(text: string): Html {
  return { text };
}

function textOf(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "object") return "text" in value ? value.text : value.map(textOf).join("");
  return String(value).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
