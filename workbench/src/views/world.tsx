import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { change, diceSeed, remember, shown } from "../state.js";
import { ask, drop } from "../work/ask.js";
import type { Failure, Legend, Shown, Work } from "../work/protocol.js";
import { drawCells } from "./cells.js";
import { Job } from "./job.js";
import { Reasons } from "./why.js";

type WorldShown = Extract<Shown, { view: "world" }>;

const REGION = 256;
const MOST_REGIONS = 120;
/** Pixels of a cell: powers of two. */
const LEAST_SCALE = 0.5;
const MOST_SCALE = 16;
/** The height of a row of hexagons, as a part of their width. */
const ROW = Math.sqrt(3) / 2;

interface Region extends Omit<Work["region"]["answer"], "cells"> {
  readonly canvas: OffscreenCanvas;
}

/** How many seeds the contact sheet has. */
const SEEDS = 24;
const seeds = signal<readonly string[]>([]);
const view = signal<WorldView | undefined>(undefined);

/** What is under the pointer. */
const cell = signal<readonly string[]>([]);

/** A map without an end: drag it, use the wheel or the keys. */
export function WorldMap({ terrains, kinds, isOddR }: WorldShown) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { files, file, seed } = shown.value;
  const key = JSON.stringify([files, file, seed]);
  useEffect(() => {
    if (canvas.current === null) return;
    const map = new WorldView(canvas.current, { terrains, kinds, isOddR });
    view.value = map;
    return () => map.close();
  }, [key, isOddR]);
  return (
    <>
      <div class="bar">
        <Find kinds={kinds} />
        <button
          type="button"
          onClick={() => (seeds.value = seeds.value.length === 0 ? Array.from({ length: SEEDS }, diceSeed) : [])}
        >
          {seeds.value.length === 0 ? `${SEEDS} other seeds` : "Back to the map"}
        </button>
      </div>
      {seeds.value.length > 0 && <Sheet terrains={terrains} kinds={kinds} isOddR={isOddR} />}
      <figure class="map world" hidden={seeds.value.length > 0}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label="The map. The arrow keys move it, plus and minus zoom."
        />
        <output class="cell">
          {cell.value.map((line) => (
            <span>{line}</span>
          ))}
        </output>
        <figcaption>
          <ul class="legend">
            {terrains.map((one) => (
              <Swatch {...one} isRound={false} />
            ))}
            {kinds.map((one) => (
              <Swatch {...one} isRound />
            ))}
          </ul>
        </figcaption>
      </figure>
      <Reasons title="Why this cell" text={why} />
      <Job />
    </>
  );
}

/** Moves the map to a cell, or to the nearest thing of a kind. */
function Find({ kinds }: { readonly kinds: readonly Legend[] }) {
  const said = useSignal("");
  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const kind = String(form.get("kind") ?? "");
    const { files, file, seed, view: middle } = shown.value;
    const [, row, col] = /^(-?\d+)\D+?(-?\d+)$/.exec(String(form.get("cell")).trim()) ?? [];
    said.value = "";
    if (row !== undefined) return view.value?.goTo(Number(row), Number(col));
    const from = { row: Number(middle.row ?? 0), col: Number(middle.col ?? 0) };
    try {
      const found = await ask("nearest", { source: { files, file, seed }, kind, from });
      said.value = found
        ? `${found.distance} steps away, at ${found.row}, ${found.col}.`
        : `No ${kind} within 2,048 steps.`;
      if (found !== undefined) view.value?.goTo(found.row, found.col);
    } catch (failure) {
      said.value = (failure as Failure).issues[0].message;
    }
  };
  return (
    <form class="group" onSubmit={find}>
      <label class="field">
        <span>Cell</span>
        <input name="cell" placeholder="row, col" autocomplete="off" />
      </label>
      {kinds.length > 0 && (
        <label class="field">
          <span>or nearest</span>
          <select name="kind">
            {kinds.map(({ name }) => (
              <option>{name}</option>
            ))}
          </select>
        </label>
      )}
      <button type="submit">Go</button>
      <span class="quiet" role="status">
        {said}
      </span>
    </form>
  );
}

/** The first region of other seeds, and how far the nearest thing of a kind is: a click takes the seed. */
function Sheet({ terrains, kinds, isOddR }: Pick<WorldShown, "terrains" | "kinds" | "isOddR">) {
  const kind = useSignal<string | undefined>(undefined);
  return (
    <>
      {kinds.length > 0 && (
        <label class="field">
          <span>From the start to the nearest</span>
          <select
            value={kind.value ?? ""}
            onChange={({ currentTarget }) => {
              kind.value = currentTarget.value || undefined;
            }}
          >
            <option value="">…</option>
            {kinds.map(({ name }) => (
              <option>{name}</option>
            ))}
          </select>
        </label>
      )}
      <ul class="sheet">
        {seeds.value.map((seed) => (
          <li key={seed}>
            <Seed seed={seed} kind={kind.value} terrains={terrains} isOddR={isOddR} />
          </li>
        ))}
      </ul>
    </>
  );
}

const why = signal<string | undefined>(undefined);

/** Says why a cell is what it is: the tests of its rules, its placements and their contents. */
function explainCell([row, col]: readonly [number, number]): void {
  const { files, file, seed } = shown.value;
  ask("explain", { source: { files, file, seed }, at: { row, col } }).then(
    (answer) => {
      why.value = answer?.text;
    },
    ({ issues: [{ message }] }: Failure) => {
      why.value = message;
    },
  );
}

function takeSeed(seed: string): void {
  seeds.value = [];
  change("", { seed });
}

interface SeedProps extends Pick<WorldShown, "terrains" | "isOddR"> {
  readonly seed: string;
  readonly kind: string | undefined;
}

function Seed({ seed, kind, terrains, isOddR }: SeedProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const steps = useSignal("");
  useEffect(() => {
    const { files, file } = shown.value;
    const slot = `sheet ${seed}`;
    ask("sheet", { source: { files, file, seed }, kind }, slot).then(
      (made) => {
        if (canvas.current === null || made === undefined) return;
        const shiftOf = (row: number) => (isOddR ? (made.row0 + row) & 1 : row);
        drawCells(canvas.current, { ...made, shiftOf, colors: terrains.map(({ color }) => color) });
        if (kind !== undefined) steps.value = made.distance === undefined ? "too far" : `${made.distance} steps`;
      },
      () => undefined,
    );
    return () => drop(slot);
  }, [seed, kind]);
  return (
    <button type="button" onClick={() => takeSeed(seed)}>
      <canvas ref={canvas} width={512} height={512} />
      {seed} <span class="quiet">{steps}</span>
    </button>
  );
}

function Swatch({ name, color, isRound }: Legend & { readonly isRound: boolean }) {
  return (
    <li>
      <span class={isRound ? "swatch round" : "swatch"} style={{ background: `rgb(${color})` }} />
      {name}
    </li>
  );
}

class WorldView {
  readonly #canvas: HTMLCanvasElement;
  readonly #world: Omit<WorldShown, "view">;
  readonly #source = { files: shown.value.files, file: shown.value.file, seed: shown.value.seed };
  readonly #regions = new Map<string, Region>();
  readonly #ending = new AbortController();
  #asking: string | undefined;
  /** The cell in the middle, and the width of a cell in pixels. */
  #row = Number(shown.value.view.row ?? 0);
  #col = Number(shown.value.view.col ?? 0);
  #scale = Number(shown.value.view.scale ?? 2);
  #isWaiting = false;
  #pointer: readonly [number, number] | undefined;

  constructor(canvas: HTMLCanvasElement, world: Omit<WorldShown, "view">) {
    this.#canvas = canvas;
    this.#world = world;
    const { signal } = this.#ending;
    canvas.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    canvas.addEventListener("pointerup", () => this.#remember(), { signal });
    canvas.addEventListener("dblclick", (event) => explainCell(this.#cellAt(event.offsetX, event.offsetY)), { signal });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event), { signal });
    const resized = new ResizeObserver(() => this.#drawSoon());
    resized.observe(canvas);
    signal.addEventListener("abort", () => resized.disconnect());
    this.#drawSoon();
  }

  /** Shows a cell in the middle. */
  goTo(row: number, col: number): void {
    [this.#row, this.#col] = [row, col];
    this.#scale = Math.max(this.#scale, 4);
    this.#remember();
    this.#drawSoon();
  }

  close(): void {
    this.#ending.abort();
  }

  #press(event: PointerEvent): void {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointer = [event.offsetX, event.offsetY];
  }

  #move(event: PointerEvent): void {
    const [x, y] = [event.offsetX, event.offsetY];
    if (event.buttons === 1 && this.#pointer !== undefined) {
      this.#shift(this.#pointer[0] - x, this.#pointer[1] - y);
      this.#pointer = [x, y];
    } else this.#askCell(x, y);
  }

  #shift(x: number, y: number): void {
    this.#row += y / (this.#scale * ROW);
    this.#col += x / this.#scale;
    if (!this.#world.isOddR) this.#col -= y / (this.#scale * ROW) / 2;
    this.#drawSoon();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#zoom(event.deltaY < 0 ? 2 ** 0.5 : 2 ** -0.5, event.offsetX, event.offsetY);
  }

  #zoom(factor: number, x = this.#canvas.clientWidth / 2, y = this.#canvas.clientHeight / 2): void {
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.#scale * factor));
    const [dx, dy] = [x - this.#canvas.clientWidth / 2, y - this.#canvas.clientHeight / 2];
    this.#shift(dx * (1 - this.#scale / scale), dy * (1 - this.#scale / scale));
    this.#scale = scale;
    this.#remember();
    this.#drawSoon();
  }

  #key({ key }: KeyboardEvent): void {
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-60, 0],
      ArrowRight: [60, 0],
      ArrowUp: [0, -60],
      ArrowDown: [0, 60],
    };
    if (moves[key] !== undefined) this.#shift(...(moves[key] as [number, number]));
    if (key === "+") this.#zoom(2);
    if (key === "-") this.#zoom(0.5);
  }

  #remember(): void {
    remember({ row: Math.round(this.#row), col: Math.round(this.#col), scale: this.#scale });
  }

  #drawSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      if (!this.#ending.signal.aborted) this.#draw();
    });
  }

  /** Returns the pixel of the top left corner of a cell. */
  #pixelOf(row: number, col: number): [number, number] {
    const { clientWidth, clientHeight } = this.#canvas;
    const shift = this.#world.isOddR ? 0 : (row - this.#row) / 2;
    return [
      clientWidth / 2 + (col - this.#col + shift) * this.#scale,
      clientHeight / 2 + (row - this.#row) * this.#scale * ROW,
    ];
  }

  #cellAt(x: number, y: number): [row: number, col: number] {
    const { clientWidth, clientHeight } = this.#canvas;
    const row = Math.floor(this.#row + (y - clientHeight / 2) / (this.#scale * ROW));
    const shift = this.#world.isOddR ? (row & 1) / 2 : (row - this.#row) / 2;
    return [row, Math.floor(this.#col + (x - clientWidth / 2) / this.#scale - shift)];
  }

  #draw(): void {
    const canvas = this.#canvas;
    const density = devicePixelRatio;
    canvas.width = canvas.clientWidth * density;
    canvas.height = canvas.clientHeight * density;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.scale(density, density);
    context.imageSmoothingEnabled = this.#scale < 2;
    const missing: (readonly [i: number, j: number])[] = [];
    const inView = [...this.#inView()];
    for (const [i, j] of inView) {
      const region = this.#regions.get(`${i},${j}`);
      if (region === undefined) missing.push([i, j]);
      else this.#drawRegion(context, region);
    }
    // things stand above the regions beside them
    if (this.#scale >= 1) for (const [i, j] of inView) this.#drawThings(context, this.#regions.get(`${i},${j}`));
    canvas.dataset.state = missing.length === 0 ? "whole" : "partial";
    if (missing.length > 0) this.#askRegion(missing);
  }

  #drawRegion(context: CanvasRenderingContext2D, { canvas, row0, col0, rows }: Region): void {
    const [x, y] = this.#pixelOf(row0, col0);
    context.drawImage(canvas, x, y, (canvas.width * this.#scale) / 2, rows * this.#scale * ROW);
  }

  #drawThings(context: CanvasRenderingContext2D, region: Region | undefined): void {
    const radius = Math.max(2, Math.min(7, this.#scale * 0.6));
    for (const [row, col, kind] of region?.placements ?? []) {
      const [x, y] = this.#pixelOf(row, col + (this.#world.isOddR ? (row & 1) / 2 : 0));
      context.beginPath();
      context.arc(x + this.#scale / 2, y + (this.#scale * ROW) / 2, radius, 0, 2 * Math.PI);
      context.fillStyle = `rgb(${this.#world.kinds[kind].color})`;
      context.strokeStyle = "#0009";
      context.fill();
      context.stroke();
    }
  }

  /** Yields the regions in view, those near the middle first. */
  #inView(): Iterable<readonly [i: number, j: number]> {
    const { clientWidth, clientHeight } = this.#canvas;
    const corners = [
      this.#cellAt(0, 0),
      this.#cellAt(clientWidth, 0),
      this.#cellAt(0, clientHeight),
      this.#cellAt(clientWidth, clientHeight),
    ];
    const regions = (k: 0 | 1) => corners.map((corner) => Math.floor(corner[k] / REGION));
    const [is, js] = [regions(0), regions(1)];
    const found: (readonly [i: number, j: number])[] = [];
    for (let i = Math.min(...is); i <= Math.max(...is); i++) {
      for (let j = Math.min(...js); j <= Math.max(...js); j++) found.push([i, j]);
    }
    const distance = ([i, j]: readonly [number, number]) =>
      Math.hypot((i + 0.5) * REGION - this.#row, (j + 0.5) * REGION - this.#col);
    return found.sort((a, b) => distance(a) - distance(b)).slice(0, MOST_REGIONS);
  }

  async #askRegion([[i, j]]: readonly (readonly [number, number])[]): Promise<void> {
    const key = `${i},${j}`;
    if (this.#asking !== undefined) return;
    this.#asking = key;
    try {
      const made = await ask("region", { source: this.#source, i, j });
      if (made !== undefined) this.#keep(key, made);
    } catch {
      // the region of a finite world can lie outside its grid
      const none = { row0: i * REGION, col0: j * REGION, rows: 0, cols: 0, cells: new Uint8Array(0), placements: [] };
      this.#keep(key, none);
    } finally {
      this.#asking = undefined;
      this.#drawSoon();
    }
  }

  #keep(key: string, { cells, ...region }: Work["region"]["answer"]): void {
    const canvas = new OffscreenCanvas(1, 1);
    const { rows, cols, row0 } = region;
    const shiftOf = (row: number) => (this.#world.isOddR ? (row0 + row) & 1 : row);
    const colors = this.#world.terrains.map(({ color }) => color);
    if (rows > 0 && cols > 0) drawCells(canvas, { rows, cols, cells, shiftOf, colors });
    this.#regions.set(key, { ...region, canvas });
    const [oldest] = this.#regions.keys();
    if (this.#regions.size > MOST_REGIONS) this.#regions.delete(oldest);
  }

  #asked = "";
  async #askCell(x: number, y: number): Promise<void> {
    const [row, col] = this.#cellAt(x, y);
    const key = `${row},${col}`;
    if (key === this.#asked || this.#asking !== undefined) return;
    this.#asked = key;
    const answer = await ask("cell", { source: this.#source, place: { row, col } }).catch(() => undefined);
    if (answer !== undefined) cell.value = answer.lines;
  }
}
