import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { stemOf } from "../document.js";
import { download } from "../download.js";
import { Choice } from "../parts/choice.js";
import { VisitKey } from "../parts/visitKey.js";
import { change, diceSeed, remember, shown } from "../state.js";
import { ask, drop } from "../work/ask.js";
import type { Failure, Legend } from "../work/protocol.js";
import { drawCells } from "./cells.js";
import { Job } from "./job.js";
import { cell, hiddenKey, layerIn, SHADES, showWorld, type WorldShown } from "./regions.js";
import { asked } from "./why.js";

/** The numbers of visits in the key. */
const STEPS = [1, 4, 16, 64, "256 or more"].map((visits, k) => [visits, SHADES[2 * k]] as const);
/** How many seeds the contact sheet has. */
const SEEDS = 24;
/** What the last search has found. */
const found = signal("");
const seeds = signal<readonly string[]>([]);
let map: ReturnType<typeof showWorld> | undefined;

export function WorldMap(world: WorldShown) {
  const { terrains, kinds, layers, isOddR } = world;
  const box = useRef<HTMLDivElement>(null);
  const layer = layerIn(layers);
  useEffect(() => {
    if (box.current !== null) map = showWorld(box.current, world, (at) => (asked.value = at));
  }, [terrains, layer]);
  useEffect(() => map?.redraw(), [shown.value.view]);
  const save = () =>
    box.current?.querySelector("canvas")?.toBlob((picture) => {
      if (picture !== null) download(`${stemOf(shown.value.file)}-map.png`, picture);
    });
  return (
    <>
      <div class="bar">
        <Find kinds={kinds} />
        <Choice
          label="Visits"
          of={layers}
          first="not shown"
          value={layer ?? ""}
          choose={(visits) => remember({ visits })}
        />
        <button type="button" onClick={save}>
          Save picture
        </button>
        <button
          type="button"
          onClick={() => (seeds.value = seeds.value.length === 0 ? Array.from({ length: SEEDS }, diceSeed) : [])}
        >
          {seeds.value.length === 0 ? `${SEEDS} other seeds` : "Back to the map"}
        </button>
      </div>
      {seeds.value.length > 0 && <Sheet terrains={terrains} kinds={kinds} isOddR={isOddR} />}
      <figure class="map world" hidden={seeds.value.length > 0}>
        <div class="box" ref={box} />
        <output class="found">{found}</output>
        <output class="cell">
          {cell.value.map((line) => (
            <span>{line}</span>
          ))}
        </output>
        <figcaption>
          {layer !== undefined && <VisitKey steps={STEPS} />}
          <ul class="legend">
            {terrains.map((one) => (
              <Swatch {...one} of="terrain" />
            ))}
            {kinds.map((one) => (
              <Swatch {...one} of="kind" />
            ))}
          </ul>
        </figcaption>
      </figure>
      <Job />
    </>
  );
}

/** Moves the map to a cell, or to the nearest thing of a kind. */
function Find({ kinds }: { readonly kinds: readonly Legend[] }) {
  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const kind = String(form.get("kind") ?? "");
    const { view } = shown.value;
    const [, row, col] = /^(-?\d+)\D+?(-?\d+)$/.exec(String(form.get("cell")).trim()) ?? [];
    found.value = "";
    if (row !== undefined) return map?.goTo({ row: Number(row), col: Number(col) });
    try {
      const place = await ask("nearest", { kind, from: { row: Number(view.row ?? 0), col: Number(view.col ?? 0) } });
      found.value = place
        ? `${place.distance} steps away, at ${place.row}, ${place.col}.`
        : `No ${kind} within 2,048 steps.`;
      if (place !== undefined) map?.goTo(place);
    } catch (failure) {
      found.value = (failure as Failure).issues[0].message;
    }
  };
  return (
    <form class="group" onSubmit={find}>
      <label class="field">
        <span>Cell</span>
        <input name="cell" placeholder="row, col" autocomplete="off" />
      </label>
      <Choice label="or nearest" name="kind" of={kinds.map(({ name }) => name)} />
      <button type="submit">Go</button>
    </form>
  );
}

/** The first region of other seeds, and how far the nearest thing of a kind is: a click takes the seed. */
function Sheet({ terrains, kinds, isOddR }: Pick<WorldShown, "terrains" | "kinds" | "isOddR">) {
  const kind = useSignal("");
  return (
    <>
      <Choice
        label="From the start to the nearest"
        of={kinds.map(({ name }) => name)}
        first="…"
        value={kind.value}
        choose={(name) => (kind.value = name)}
      />
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

function Seed({
  seed,
  kind,
  terrains,
  isOddR,
}: Pick<WorldShown, "terrains" | "isOddR"> & Record<"seed" | "kind", string>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const steps = useSignal("");
  useEffect(() => {
    const { files, file } = shown.value;
    const slot = `sheet ${seed}`;
    ask("sheet", { source: { files, file, seed }, kind: kind || undefined }, slot).then(
      (made) => {
        if (canvas.current === null || made === undefined) return;
        drawCells(canvas.current, { ...made, isOddR, colors: terrains.map(({ color }) => color) });
        if (kind !== "") steps.value = made.distance === undefined ? "too far" : `${made.distance} steps`;
      },
      () => undefined,
    );
    return () => drop(slot);
  }, [seed, kind]);
  const take = () => {
    seeds.value = [];
    change("", { seed });
  };
  return (
    <button type="button" onClick={take}>
      <canvas ref={canvas} width={512} height={512} />
      {seed} <span class="quiet">{steps}</span>
    </button>
  );
}

/** An entry of the legend, which switches a terrain or a kind on and off. */
function Swatch({ name, color, of }: Legend & { readonly of: "terrain" | "kind" }) {
  const key = hiddenKey(of, name);
  const toggle = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    remember({ [key]: currentTarget.checked ? 0 : 1 });
  return (
    <li>
      <label>
        <input type="checkbox" checked={shown.value.view[key] !== 1} onChange={toggle} />
        <span class={of === "kind" ? "swatch round" : "swatch"} style={{ background: `rgb(${color})` }} />
        {name}
      </label>
    </li>
  );
}
