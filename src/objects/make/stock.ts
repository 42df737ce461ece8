import { halvesOf, MAX_INDEX, type Shared } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { ClaimRecord } from "../../kernel/layout.js";
import type { ArtifactSpec } from "../types.js";

/** Who made an artifact. */
export interface ArtifactOwner {
  readonly maker: string;
  /** Index of the object in the stream of this maker. */
  readonly object: number;
}

interface SavedClaim extends ArtifactOwner {
  /** The key of the artifact, as {@link artifactKeys} returns it. */
  readonly artifact: string;
}

/**
 * The artifacts that were made, and their owners. The keys are texts instead of records, because makers with the same
 * stock can have different files.
 */
export class ArtifactStock implements Shared {
  readonly #owners = new Map<string, ArtifactOwner>();
  /** Grows with each change. */
  version = 0;
  /** Whether a call that can make artifacts is running. A second such call could make the same artifact. */
  isTaken = false;

  /** @param saved - The stock in a snapshot, unchecked. */
  constructor(saved?: unknown) {
    for (const { artifact, maker, object } of savedClaims(saved)) this.#owners.set(artifact, { maker, object });
  }

  /** The owner of each made artifact, by key, in the order in which the artifacts were made. */
  get owners(): ReadonlyMap<string, ArtifactOwner> {
    return this.#owners;
  }

  claim(key: string, owner: ArtifactOwner): void {
    this.#owners.set(key, owner);
    this.version++;
  }

  release(key: string): boolean {
    const wasMade = this.#owners.delete(key);
    if (wasMade) this.version++;
    return wasMade;
  }

  save(): readonly SavedClaim[] | undefined {
    if (this.#owners.size === 0) return undefined;
    return Array.from(this.#owners, ([artifact, owner]) => ({ artifact, ...owner }));
  }
}

/** The key of an artifact is its name, or `name:number` if several have this name: names in files have no colon. */
export function artifactKeys(artifacts: readonly ArtifactSpec[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { name } of artifacts) times.set(name, (times.get(name) ?? 0) + 1);
  return artifacts.map(({ name, number }) => (times.get(name) === 1 ? name : `${name}:${number}`));
}

function savedClaims(saved: unknown): readonly SavedClaim[] {
  if (saved === undefined) return [];
  if (Array.isArray(saved) && saved.every(isClaim)) {
    if (new Set(saved.map(({ artifact }) => artifact)).size === saved.length) return saved;
  }
  const problem = "the list of made artifacts in the snapshot is damaged";
  return fail(error("snapshot.invalid", { problem, got: saved, expected: "the bytes that snapshot() returned" }));
}

function isClaim(value: unknown): value is SavedClaim {
  if (typeof value !== "object" || value === null) return false;
  const { artifact, maker, object } = value as Record<string, unknown>;
  const isIndex = typeof object === "number" && Number.isInteger(object) && object >= 0 && object < MAX_INDEX;
  return typeof artifact === "string" && typeof maker === "string" && isIndex;
}

/** The size of a ClaimRecord and the places of its fields, in words of 32 bits. */
const STRIDE = ClaimRecord.bytes / Uint32Array.BYTES_PER_ELEMENT;
const [IS_MADE, LOW, HIGH] = [
  ClaimRecord.offsets.isMade / Uint32Array.BYTES_PER_ELEMENT,
  ClaimRecord.offsets.objectLow / Uint32Array.BYTES_PER_ELEMENT,
  ClaimRecord.offsets.objectHigh / Uint32Array.BYTES_PER_ELEMENT,
];

/** Both 32-bit halves of the owner's index if another maker made the artifact. Real indices are below 2^42. */
const OTHER_MAKER = 2 ** 32 - 1;

/**
 * The artifacts that were made and their owners, in the form that the kernel reads and writes. The stock changes only
 * at the end of a call, so that a failed call makes no artifact. A maker and its forks share one object of this class:
 * they also share a kernel, which runs one call at a time.
 */
export class Owners {
  /** One ClaimRecord for each artifact of the files. */
  readonly cells: Uint32Array<ArrayBuffer>;
  readonly keys: readonly string[];
  readonly #indices: ReadonlyMap<string, number>;
  /** The claims that {@link cells} has. Undefined if they are outdated. */
  #shown: { readonly stock: ArtifactStock; readonly maker: string; readonly version: number } | undefined;

  constructor(artifacts: readonly ArtifactSpec[]) {
    this.cells = new Uint32Array(STRIDE * artifacts.length);
    this.keys = artifactKeys(artifacts);
    this.#indices = new Map(this.keys.map((key, i) => [key, i]));
  }

  /** Writes the claims of a stock to {@link cells}. `maker` runs the call. Cost: O(artifacts); O(1) if nothing changed. */
  read(stock: ArtifactStock, maker: string): void {
    const { version } = stock;
    const shown = this.#shown;
    if (shown?.stock === stock && shown.maker === maker && shown.version === version) return;
    this.cells.fill(0);
    for (const [key, owner] of stock.owners) {
      const index = this.#indices.get(key);
      if (index === undefined) continue;
      const [low, high] = owner.maker === maker ? halvesOf(owner.object) : [OTHER_MAKER, OTHER_MAKER];
      this.cells[STRIDE * index + IS_MADE] = 1;
      this.cells[STRIDE * index + LOW] = low;
      this.cells[STRIDE * index + HIGH] = high;
    }
    this.#shown = { stock, maker, version };
  }

  /** Adds to the stock all artifacts that the call has made. {@link read} was called with the same stock before. */
  commit(stock: ArtifactStock, maker: string): void {
    for (let index = 0; index < this.keys.length; index++) {
      if (!this.isMade(index) || stock.owners.has(this.keys[index])) continue;
      const object = this.cells[STRIDE * index + HIGH] * 2 ** 32 + this.cells[STRIDE * index + LOW];
      stock.claim(this.keys[index], { maker, object });
    }
    this.#shown = { stock, maker, version: stock.version };
  }

  /** Marks {@link cells} as outdated, because a failed call may have written to them. */
  discard(): void {
    this.#shown = undefined;
  }

  isMade(index: number): boolean {
    return this.cells[STRIDE * index + IS_MADE] !== 0;
  }
}
