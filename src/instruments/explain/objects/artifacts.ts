import type { ObjectMaker } from "../../../objects/objectMaker.js";
import type { ObjectRequest } from "../../../objects/odds/impossible.js";
import type { ArtifactSpec, KindSpec } from "../../../objects/types.js";
import type { Draft } from "./draft.js";
import { rollPvals, type Words } from "./words.js";

interface Line {
  readonly artifact: ArtifactSpec;
  readonly kind: KindSpec;
  readonly least: number;
  readonly most: number;
  readonly probability: number;
}

/** The artifacts that an object can become, and those that were made before. */
export class Artifacts {
  readonly lines: readonly Line[];
  readonly #request: ObjectRequest;
  readonly #owners: ReadonlyMap<ArtifactSpec, boolean>;
  readonly #outOfDepth: number;

  constructor(maker: ObjectMaker, request: ObjectRequest, index: number) {
    const { kinds, artifacts, constants } = maker.files;
    this.lines = artifacts.flatMap((artifact) => {
      const kind = kinds.find((one) => one.tval === artifact.tval && one.sval === artifact.sval);
      if (kind === undefined) return [];
      const rolled = artifact.allocations.filter(({ probability }) => probability > 0);
      return rolled.map((line) => ({ artifact, kind, ...line }));
    });
    this.#request = request;
    this.#outOfDepth = constants.artifacts.outOfDepth;
    const isOwn = (owner: string, object: number) => owner === maker.name && object === index;
    this.#owners = new Map(maker.claims.map((claim) => [claim.artifact, isOwn(claim.maker, claim.object)]));
  }

  /** By the rules of version 4: tests each line, then chooses one of the artifacts whose lines passed. */
  choose(words: Words, lines: readonly Line[]): Line | undefined {
    const { level } = this.#request;
    const passed = lines.filter(({ artifact: { name }, least, most }) => {
      if (most < level) return false;
      return least <= level || words.isBelow(`${name}, out of depth`, this.#outOfDepth * (least - level), 1);
    });
    const free = passed.filter(({ artifact }) => !this.#owners.has(artifact));
    const own = passed.find(({ artifact }) => this.#owners.get(artifact) === true);
    if (own === undefined && free.length > 0) {
      return words.pick("artifact, choice", free, ({ artifact: { name }, probability: weight }) => ({ name, weight }));
    }
    const total = free.reduce((sum, { probability }) => sum + probability, 0);
    words.below("artifact, choice", Math.max(1, total), () => (own === undefined ? "nothing" : own.artifact.name));
    return own;
  }

  /** By the rules of Angband 4.2: tests the lines in turn, and returns the first that passes. */
  first(words: Words, lines: readonly Line[]): Line | undefined {
    const { level } = this.#request;
    if (level === 0) return undefined;
    return lines.find(({ artifact, least, most, probability }) => {
      if (most < level) return false;
      const { name } = artifact;
      if (least > level && !words.isBelow(`${name}, out of depth`, 2 * (least - level), 1)) return false;
      return words.isBelow(`${name}, chance`, 100, probability) && this.#owners.get(artifact) !== false;
    });
  }

  /** Returns the lines of the requested kind or type, for a try before a kind is picked. */
  requested(lines: readonly Line[]): readonly Line[] {
    const { kind, tval } = this.#request;
    if (kind !== undefined) return lines.filter((line) => line.kind === kind);
    return tval === undefined ? lines : lines.filter((line) => line.kind.tval === tval);
  }

  become(words: Words, draft: Draft, { artifact, kind }: Pick<Line, "artifact" | "kind">): void {
    draft.become(artifact, kind);
    rollPvals(words, draft, artifact.pvals, this.#request.level);
  }
}
