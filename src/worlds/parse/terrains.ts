import { didYouMean } from "../../errors/index.js";
import { type Field, list, type SpecReader, TEXT } from "../../spec/index.js";
import type { TerrainSpec } from "../types.js";
import { defaultColor } from "./values.js";

const MAX_TERRAINS = 255;
const MAX_TAGS = 64;

export const TAGS = list(TEXT, { most: MAX_TAGS, of: "tags" });

interface Declared {
  readonly terrain: string;
  readonly color?: TerrainSpec["color"];
  readonly tags?: readonly string[];
}

/** The terrains of a world, in the order in which rules and paths name them first. */
export class TerrainList {
  readonly #reader: SpecReader;
  readonly #byName = new Map<string, TerrainSpec>();

  constructor(reader: SpecReader) {
    this.#reader = reader;
  }

  get all(): TerrainSpec[] {
    return [...this.#byName.values()];
  }

  /** Returns the index of a terrain. Adds the terrain if it is new. `at` has the fields of the terrain. */
  indexOf(at: Field, { terrain: name, color, tags }: Declared): number {
    if (!this.#byName.has(name)) {
      const own = color ?? defaultColor("terrain", this.#byName.size);
      this.#byName.set(name, { name, color: own, tags: [...new Set(tags)] });
    } else {
      if (color !== undefined) this.#refuse(at, name, "color");
      if (tags !== undefined) this.#refuse(at, name, "tags");
    }
    return [...this.#byName.keys()].indexOf(name);
  }

  /** Reports too many terrains, and tags with the name of a terrain. */
  check(at: Field): void {
    const { size } = this.#byName;
    if (size > MAX_TERRAINS) {
      this.#reader.report(at, { problem: "too many terrains", got: size, expected: `at most ${MAX_TERRAINS}` });
    }
    const tag = this.all.flatMap(({ tags }) => tags).find((one) => this.#byName.has(one));
    if (tag !== undefined) {
      this.#reader.report(at, { problem: "a tag has the name of a terrain", got: tag, expected: "another tag" });
    }
  }

  #refuse(at: Field, name: string, key: string): void {
    const problem = `the terrain ${JSON.stringify(name)} was named before, so "${key}" cannot be set here`;
    this.#reader.report(at.part(key), { problem, expected: `"${key}" only where the terrain is named first` });
  }
}

/** Returns the indices of the terrains with this name or tag. */
export function terrainsOf(reader: SpecReader, at: Field, name: unknown, terrains: readonly TerrainSpec[]): number[] {
  const found = terrains.flatMap((one, i) => (one.name === name || one.tags.some((tag) => tag === name) ? [i] : []));
  if (found.length > 0) return found;
  const known = [...new Set(terrains.flatMap((one) => [one.name, ...one.tags]))];
  const expected = known.length === 0 ? 'no names, because the world has no "terrain"' : `one of ${known.join(", ")}`;
  const hint = typeof name === "string" ? didYouMean(name, known) : {};
  reader.report(at, { problem: "no terrain has this name or tag", got: name, expected, ...hint });
  return [];
}
