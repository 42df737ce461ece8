import { readFileSync } from "node:fs";
import { nameKey, type Seed, type StreamKey, seedKey } from "../../src/address.js";
import {
  type CreateState,
  Guard,
  MillNode,
  Place,
  Scope,
  type Services,
  type State,
} from "../../src/calls/index.js";
import { BLOCK_WORDS, Kernel } from "../../src/kernel/index.js";
import type { TwinKey } from "../oracle/words.js";

/** The whole kernel, with the functions of all parts. */
const WHOLE = new WebAssembly.Module(readFileSync(new URL("../../build/kernel.wasm", import.meta.url)));

/** A kernel of its own, with room for 256 MiB. */
export function openKernel(maxBytes = 2 ** 28): Kernel {
  return new Kernel(WHOLE, maxBytes);
}

/** What a mill provides to a noun, with kernels that `open` opens. */
export function servicesWith(seed: string, open = () => openKernel()): Services {
  const services: Services = {
    seed,
    now: () => "2026-01-05T08:30",
    openKernel: open,
    serve: () => ({ kernel: open(), services }),
  };
  return services;
}

/** The scope of a name, as a mill gives it to a noun. */
export function openBranch<S extends State = State>(
  seed: Seed,
  name: string,
  create: CreateState<S> = () => ({ next: 0 }) as S,
): Scope<S> {
  const node = new MillNode();
  const keyOf = (other: string) => keyIn(seed, other);
  const parts = { guard: new Guard(), create, keyOf, sharedNode: () => node.shared };
  return new Scope<S>(keyOf(name), parts, new Place(() => node.name(name, "test")));
}

/** The key of a name under a seed, as kernel calls take it. */
export function keyIn(seed: Seed, name: string): StreamKey {
  return nameKey(seedKey(seed), name);
}

/** A key of the twin, as kernel calls take it. */
export function keyOfTwin([k0, k1]: TwinKey): StreamKey {
  return { k0, k1 };
}

/** An index as kernel calls take it. */
export function placeOf(index: number): readonly [block: number, offset: number] {
  return [Math.floor(index / BLOCK_WORDS), index % BLOCK_WORDS];
}

/** word(stream, high · 2^32 + plane, index) of a kernel. */
export function wordIn(
  kernel: Kernel,
  key: TwinKey,
  { high, plane, index }: { readonly high: number; readonly plane: number; readonly index: number },
): number {
  return kernel.run(keyOfTwin(key), (exports) => exports.wordOf(plane, high, ...placeOf(index))) >>> 0;
}

/** The first place where two lists differ, −1 where they are the same; toEqual takes seconds on a million words. */
export function firstDifference(got: ArrayLike<number>, expected: ArrayLike<number>): number {
  for (let i = 0; i < Math.max(got.length, expected.length); i++) if (got[i] !== expected[i]) return i;
  return -1;
}
