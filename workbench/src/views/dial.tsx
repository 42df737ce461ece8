import { applyEdits, modify } from "jsonc-parser";
import type { ComponentChildren } from "preact";
import { DIRECTION_KEYS, DIRECTIONS, TURN_KEYS, TURNS } from "../../../src/walks/directions.js";
import { PRESETS } from "../../../src/walks/index.js";
import { Choice } from "../parts/choice.js";
import { remember, shown, write } from "../state.js";

const MOST = 10;
const TURN_NAMES = ["straight on", "right", "sharp right", "back", "sharp left", "left"];

interface Layer {
  readonly name?: string;
  readonly preset?: string;
  readonly tensor?: { readonly absolute?: Weights; readonly relative?: Weights };
}
type Weights = Readonly<Record<string, number>>;

/** The twelve weights of the Direction Tensor of a layer: a slider moves the weight in the file, and the map follows. */
export function Dial({ children }: { readonly children: ComponentChildren }) {
  const { file, files, view } = shown.value;
  const spec = jsonIn(files[file]) as { readonly layers?: readonly Layer[] } & Layer;
  if (spec === undefined) return null;
  const layers = spec.layers ?? [spec];
  const index = Math.min(Number(view.layer ?? 0), layers.length - 1);
  const layer = layers[index];
  const names = layers.map(({ name }, i) => name ?? String(i));
  const path = spec.layers === undefined ? [] : ["layers", index];
  const weights = weightsOf(layer);
  const set = (group: "absolute" | "relative", name: string, weight: number) => {
    const tensor = { ...weights, [group]: { ...weights[group], [name]: weight } };
    const text = shown.value.files[file];
    const format = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
    const plain = applyEdits(text, modify(text, [...path, "preset"], undefined, format));
    write(file, applyEdits(plain, modify(plain, [...path, "tensor"], tensor, format)));
  };
  const group = (name: "absolute" | "relative", title: string, keys: readonly string[], labels: readonly string[]) => (
    <fieldset>
      <legend>{title}</legend>
      <div class="hexagon">
        {keys.map((key, i) => (
          <label style={{ gridArea: `p${i}` }}>
            <span>
              {labels[i]} <output>{weights[name][key]}</output>
            </span>
            <input
              type="range"
              min={0}
              max={MOST}
              step={0.1}
              value={weights[name][key]}
              onInput={({ currentTarget }) => set(name, key, Number(currentTarget.value))}
            />
          </label>
        ))}
        <Rose parts={keys.map((key) => weights[name][key] / MOST)} />
      </div>
    </fieldset>
  );
  return (
    <div class="dial">
      {layers.length > 1 && (
        <Choice
          label="Layer"
          of={names}
          value={names[index]}
          choose={(name) => remember({ layer: names.indexOf(name) })}
        />
      )}
      <div class="columns even">
        {group("absolute", "Directions on the map", DIRECTIONS, DIRECTIONS)}
        {group("relative", "Turns from the heading", TURNS, TURN_NAMES)}
        {children}
      </div>
    </div>
  );
}

/** Six spokes, for parts of 1. */
export function Rose({ parts }: { readonly parts: readonly number[] }) {
  return (
    <svg viewBox="-1 -1 2 2" aria-hidden="true">
      <polygon points={pointsOf(parts.map(() => 1))} class="outline" />
      <polygon points={pointsOf(parts)} class="shape" />
    </svg>
  );
}

/** The corners of a shape: the length of each spoke is the square root of its part, so that areas are proportional. */
function pointsOf(parts: readonly number[]): string {
  return parts
    .map((part, i) => {
      const angle = ((i * 60 - 120) * Math.PI) / 180;
      const length = Math.sqrt(Math.min(part, 1));
      return `${(length * Math.cos(angle)).toFixed(3)},${(length * Math.sin(angle)).toFixed(3)}`;
    })
    .join(" ");
}

interface Tensor {
  readonly absolute: Weights;
  readonly relative: Weights;
}

/** Returns the weights by their short names. A part that the layer does not have has six equal weights. */
function weightsOf({ preset, tensor }: Layer): Tensor {
  const known = PRESETS[(preset ?? "uniform") as keyof typeof PRESETS] ?? PRESETS.uniform;
  if (tensor === undefined)
    return { absolute: named(DIRECTIONS, known.absolute), relative: named(TURNS, known.relative) };
  const read = (names: readonly string[], keys: ReadonlyMap<string, number>, given: Weights | undefined) => {
    const weights = Array<number>(names.length).fill(given === undefined ? 1 : 0);
    for (const [key, weight] of Object.entries(given ?? {})) weights[keys.get(key) ?? -1] = numberOf(weight);
    return named(names, weights);
  };
  return {
    absolute: read(DIRECTIONS, DIRECTION_KEYS, tensor.absolute),
    relative: read(TURNS, TURN_KEYS, tensor.relative),
  };
}

function named(names: readonly string[], weights: readonly number[]): Weights {
  return Object.fromEntries(names.map((name, i) => [name, weights[i]]));
}

/** A weight can be a fraction, such as "1/3". */
function numberOf(weight: unknown): number {
  const [numerator, denominator = 1] = String(weight).split("/").map(Number);
  const value = numerator / denominator;
  return Number.isFinite(value) ? value : 0;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
