import { MAX_INDEX, type Shared } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import type { ArtifactSpec } from "../types.js";

/** The object that made an artifact. */
export interface ArtifactOwner {
  /** Name of the maker of objects. */
  readonly maker: string;
  /** Index of the object. */
  readonly object: number;
}

/** A made artifact in a snapshot. */
interface SavedClaim extends ArtifactOwner {
  /** A key that {@link artifactKeys} returned. */
  readonly artifact: string;
}

/**
 * The artifacts that were made, and their owners. Makers of a mill share a stock, so that each artifact exists at most
 * once. A stock knows artifacts by keys, because makers with other files can share it.
 */
export class ArtifactStock implements Shared {
  readonly #owners = new Map<string, ArtifactOwner>();
  #version = 0;
  /** Whether a call that can make artifacts is running. Another such call could make the same artifact. */
  isTaken = false;

  /**
   * @param saved - The state in a snapshot, unchecked; undefined for a stock in which no artifact was made.
   * @throws RollmillError `snapshot.invalid` if it is damaged.
   */
  constructor(saved?: unknown) {
    for (const { artifact, maker, object } of savedClaims(saved)) this.#owners.set(artifact, { maker, object });
  }

  /** Increases whenever the stock changes. */
  get version(): number {
    return this.#version;
  }

  /** The made artifacts, by key, in the order in which they were made. */
  get owners(): ReadonlyMap<string, ArtifactOwner> {
    return this.#owners;
  }

  /** Marks an artifact as made. */
  claim(key: string, owner: ArtifactOwner): void {
    this.#owners.set(key, owner);
    this.#version++;
  }

  /** Marks an artifact as not made. Returns whether it was made. */
  release(key: string): boolean {
    const wasMade = this.#owners.delete(key);
    if (wasMade) this.#version++;
    return wasMade;
  }

  /** Returns the made artifacts for a snapshot; undefined if there are none. */
  save(): readonly SavedClaim[] | undefined {
    if (this.#owners.size === 0) return undefined;
    return Array.from(this.#owners, ([artifact, owner]) => ({ artifact, ...owner }));
  }
}

/**
 * Returns the key of each artifact in a stock: its name. If several artifacts of the files have the name, the key is
 * `name:number`. It cannot be the name of another artifact, because a name in an edit file has no colon.
 */
export function artifactKeys(artifacts: readonly ArtifactSpec[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { name } of artifacts) times.set(name, (times.get(name) ?? 0) + 1);
  return artifacts.map(({ name, number }) => (times.get(name) === 1 ? name : `${name}:${number}`));
}

function savedClaims(saved: unknown): readonly SavedClaim[] {
  if (saved === undefined) return [];
  if (Array.isArray(saved) && saved.every(isClaim)) {
    // an artifact is made at most once
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
