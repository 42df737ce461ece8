import { halvesOf, type State } from "../../calls/index.js";
import { ClaimRecord } from "../../kernel/layout.js";
import type { ArtifactSpec, Claim } from "../types.js";

/** The state of a maker: the index of the next object, and the artifacts that were made. */
export interface ObjectState extends State {
  readonly claims: Claims;
}

/** The layout of a claim in an array of u32: its length, and the positions of its fields. */
const CLAIM = {
  stride: ClaimRecord.bytes / Uint32Array.BYTES_PER_ELEMENT,
  isMade: ClaimRecord.offsets.isMade / Uint32Array.BYTES_PER_ELEMENT,
  objectLow: ClaimRecord.offsets.objectLow / Uint32Array.BYTES_PER_ELEMENT,
  objectHigh: ClaimRecord.offsets.objectHigh / Uint32Array.BYTES_PER_ELEMENT,
} as const;

/**
 * Which artifacts were made, and by which objects, as the kernel reads and writes it. A maker keeps its claims outside the
 * kernel: an instance of the kernel can be replaced, and forks share one kernel.
 */
export class Claims {
  /** One ClaimRecord an artifact. */
  readonly cells: Uint32Array<ArrayBuffer>;
  /** During a call, a copy of the cells from before it, because the call may still fail. Undefined between calls. */
  settled: Uint32Array<ArrayBuffer> | undefined;
  readonly #artifacts: readonly ArtifactSpec[];

  /** @param made - The claims at the beginning. */
  constructor(artifacts: readonly ArtifactSpec[], made: readonly Claim[] = []) {
    this.#artifacts = artifacts;
    this.cells = new Uint32Array(CLAIM.stride * artifacts.length);
    const index = new Map(artifacts.map(({ number }, i) => [number, i]));
    for (const { artifact, object } of made) this.#set(index.get(artifact) ?? 0, object);
  }

  /** The made artifacts and their owners, in the order of the files. During a call, as they were before the call. */
  get made(): readonly Claim[] {
    const cells = this.settled ?? this.cells;
    return this.#artifacts.flatMap(({ number }, i) => {
      const object = ownerIn(cells, i);
      return object === undefined ? [] : [{ artifact: number, object }];
    });
  }

  /** Returns the index of the owner of an artifact; undefined if the artifact was not made. */
  owner(artifact: ArtifactSpec): number | undefined {
    return ownerIn(this.cells, this.#artifacts.indexOf(artifact));
  }

  #set(artifact: number, object: number): void {
    const first = CLAIM.stride * artifact;
    const [low, high] = halvesOf(object);
    this.cells[first + CLAIM.isMade] = 1;
    this.cells[first + CLAIM.objectLow] = low;
    this.cells[first + CLAIM.objectHigh] = high;
  }
}

function ownerIn(cells: Uint32Array<ArrayBuffer>, artifact: number): number | undefined {
  const first = CLAIM.stride * artifact;
  if (cells[first + CLAIM.isMade] === 0) return undefined;
  return cells[first + CLAIM.objectHigh] * 2 ** 32 + cells[first + CLAIM.objectLow];
}
