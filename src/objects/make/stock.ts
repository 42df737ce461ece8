import { MAX_INDEX, type Shared } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { isObject } from "../../spec/index.js";
import type { ArtifactSpec } from "../types.js";

export interface ArtifactOwner {
  readonly maker: string;
  /** Index of the object in the stream of this maker. */
  readonly object: number;
}

interface SavedClaim extends ArtifactOwner {
  /** The key of the artifact, as {@link artifactKeys} returns it. */
  readonly artifact: string;
}

/** The artifacts that were made. Their keys are texts, because makers that share a stock can have different files. */
export class ArtifactStock implements Shared {
  readonly #owners = new Map<string, ArtifactOwner>();
  /** A number that grows with each change of the stock. */
  version = 0;
  /** Whether a call that can make artifacts is running. A second such call could make the same artifact. */
  isTaken = false;

  /** @param saved - The stock in a snapshot, unchecked. */
  constructor(saved?: unknown) {
    for (const { artifact, maker, object } of savedClaims(saved)) this.#owners.set(artifact, { maker, object });
  }

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

/** A key is the artifact's name, or `name:number` if several have this name. It is unique: names contain no colon. */
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
  if (!isObject(value)) return false;
  const { artifact, maker, object } = value;
  const isIndex = typeof object === "number" && Number.isInteger(object) && object >= 0 && object < MAX_INDEX;
  return typeof artifact === "string" && typeof maker === "string" && isIndex;
}
