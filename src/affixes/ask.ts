import { checkInteger } from "../address.js";
import { error, type Finding, fail, nearest } from "../errors/index.js";
import { canBeDrawn, type ObjectPlan } from "./compile.js";
import type { ObjectLimit, ObjectOptions } from "./options.js";
import { plainName } from "./parseArtifacts.js";
import { kindOfArtifact } from "./planRecords.js";
import { tvalOf, tvalWord } from "./tvals.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "./types.js";
import { MAX_DEPTH } from "./values.js";

/** What is asked, in records of the files. */
export interface Asked {
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec | undefined;
  readonly tval: number | undefined;
  readonly affixes: readonly AffixSpec[];
  readonly theme: ThemeSpec | undefined;
  readonly artifact: ArtifactSpec | undefined;
  /** Index into the levels. */
  readonly affixLevel: number | undefined;
  readonly artifacts: boolean;
  readonly limit: ObjectLimit | undefined;
  readonly attempts: number;
}

/** The most objects thrown away for one, unless the caller says otherwise. */
const ATTEMPTS = 10_000_000;
const MOST_ATTEMPTS = 2 ** 31;
const MOST_AFFIXES = 8;

/**
 * Reads what is asked.
 *
 * @throws RollmillError `argument.range`, `argument.type`; `object.request` for a name that is not in the files;
 * `object.impossible` where no kind is drawn at the level.
 */
export function readAsked(plan: ObjectPlan, options: ObjectOptions): Asked {
  const { files } = plan;
  const { level, attempts = ATTEMPTS, artifacts = true } = options;
  checkInteger("level", level, 0, MAX_DEPTH);
  checkInteger("attempts", attempts, 1, MOST_ATTEMPTS);
  const quality = options.great === true ? "great" : options.good === true ? "good" : "normal";
  const kind = options.kind === undefined ? undefined : findKind(files, options.kind);
  const tval = options.tval === undefined ? undefined : findTval(plan, options.tval);
  const affixes = (options.with ?? []).map((name) => find("affix", files.affixes, name));
  const theme = options.theme === undefined ? undefined : find("theme", files.themes, options.theme);
  const artifact = options.artifact === undefined ? undefined : find("artifact", files.artifacts, options.artifact);
  const affixLevel = options.affixLevel === undefined ? undefined : levelOf(files, options.affixLevel);
  checkLimit(plan, options.limit);
  if (affixes.length > MOST_AFFIXES)
    refuse({ problem: "too many affixes are asked for", got: affixes.length, expected: `at most ${MOST_AFFIXES}` });
  if (kind !== undefined && tval !== undefined && kind.tval !== tval) {
    refuse({
      problem: "the kind is not of the type asked for",
      got: plainName(kind.name),
      expected: tvalWord(tval),
      remedy: "Ask for one of them",
    });
  }
  const asked = { level, quality, kind, tval, affixes, theme, artifact, affixLevel, artifacts, attempts } as const;
  if (kind === undefined && artifact === undefined) checkKinds(plan, asked);
  return { ...asked, limit: options.limit };
}

/** The depths that kinds are drawn at, the least and the greatest. */
export function kindDepths({ level, quality }: Pick<Asked, "level" | "quality">): readonly [number, number] {
  if (quality === "good") return [level + 5, level + 10];
  return quality === "great" ? [level + 10, level + 15] : [level, level];
}

function checkKinds(plan: ObjectPlan, asked: Pick<Asked, "level" | "quality" | "tval">): void {
  const tval = asked.tval === undefined ? 0 : plan.tvals.indexOf(asked.tval) + 1;
  const [least, most] = kindDepths(asked);
  for (let depth = least; depth <= most; depth++) {
    if (plan.kindsAt(asked.quality !== "normal", tval, depth) > 0) continue;
    const own = plan.files.kinds.filter((kind) => canBeDrawn(kind) && (asked.tval ?? kind.tval) === kind.tval);
    const depths = own.map(({ allocation }) => `${allocation?.least} to ${allocation?.most}`);
    fail(
      error("object.impossible", {
        problem: `no ${asked.quality} kind ${asked.tval === undefined ? "" : `of type ${tvalWord(asked.tval)} `}is drawn at depth ${depth}`,
        got: `level ${asked.level}`,
        expected:
          depths.length === 0
            ? "a type of which there are such kinds"
            : `depths such as ${[...new Set(depths)].slice(0, 8).join(", ")}`,
        remedy: "Ask for another level, or name a kind",
      }),
    );
  }
}

/** A kind by its number, or by its name in any case. */
export function findKind({ kinds }: ObjectFiles, name: string | number): KindSpec {
  const named = kinds.map((kind) => ({ number: kind.number, name: plainName(kind.name), kind }));
  return find("kind", named, name).kind;
}

function findTval(plan: ObjectPlan, name: string | number): number {
  const tval = typeof name === "number" ? name : (tvalOf(name) ?? Number(name));
  if (plan.tvals.includes(tval)) return tval;
  return refuse({
    problem: "there are no kinds of this type",
    got: name,
    expected: `one of ${plan.tvals.map(tvalWord).join(", ")}`,
  });
}

function levelOf({ levels }: ObjectFiles, name: string): number {
  const index = levels.indexOf(name);
  if (index >= 0) return index;
  return refuse({ problem: "there is no such affix level", got: name, expected: `one of ${levels.join(", ")}` });
}

/** A record by its number or its name, which may be written in any case. */
export function find<T extends { readonly number: number; readonly name: string }>(
  what: string,
  records: readonly T[],
  name: string | number,
): T {
  const plain = typeof name === "string" ? name.toLowerCase() : undefined;
  const record =
    records.find((candidate) => candidate.name === name) ??
    records.find((candidate) => name !== "" && candidate.number === Number(name)) ??
    records.find((candidate) => candidate.name.toLowerCase() === plain);
  if (record !== undefined) return record;
  const near = nearest(
    String(name),
    records.map((candidate) => candidate.name),
  );
  return refuse({
    problem: `there is no such ${what}`,
    got: name,
    expected: `the name or the number of one`,
    remedy: near === undefined ? "Check the files" : `Did you mean ${JSON.stringify(near)}?`,
  });
}

function checkLimit({ files }: ObjectPlan, limit: ObjectLimit | undefined): void {
  if (limit === undefined) return;
  const { most, scores, power } = limit;
  if ((scores === undefined) === (power === undefined)) {
    refuse({ problem: "a limit needs scores or a power", expected: "one of the two" });
  }
  if (power !== undefined) {
    if (typeof power === "function" && !Number.isNaN(most)) return;
    refuse({ problem: "the limit is not usable", got: most, expected: "a number, and a function for the power" });
  }
  const least = -(2 ** 31);
  checkInteger("limit.most", most, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const { flags = {}, ...body } = scores ?? {};
  for (const [name, score] of Object.entries(body)) checkInteger(`the score of ${name}`, score, least, -least - 1);
  for (const [name, score] of Object.entries(flags)) {
    checkInteger(`the score of ${name}`, score, least, -least - 1);
    find(
      "flag",
      files.flags.map((flag, number) => ({ ...flag, number: -1 - number })),
      name,
    );
  }
}

/** What is asked of an artifact that no object can be. */
export function checkArtifact(
  { files }: ObjectPlan,
  artifact: ArtifactSpec,
  { level, kind, tval }: Pick<Asked, "level" | "kind" | "tval">,
): void {
  const own = files.kinds[kindOfArtifact(files, artifact)];
  const inDepth = artifact.allocations.some(({ probability, most }) => probability > 0 && level <= most);
  if (own !== undefined && inDepth && (kind ?? own) === own && (tval ?? own.tval) === own.tval) return;
  const depths = artifact.allocations.map(({ least, most }) => `${least} to ${most}`).join(", ");
  fail(
    error("object.impossible", {
      problem: `the artifact ${JSON.stringify(artifact.name)} is not to be had so`,
      got: `level ${level}${kind === undefined ? "" : `, kind ${JSON.stringify(plainName(kind.name))}`}`,
      expected:
        own === undefined
          ? "an artifact whose kind there is"
          : `its kind ${JSON.stringify(plainName(own.name))}, at ${depths || "no depth"}`,
      remedy: "Ask for another level, or for no kind",
    }),
  );
}

function refuse(finding: Omit<Finding, "remedy"> & { readonly remedy?: string }): never {
  return fail(error("object.request", { remedy: "Ask for what the files have", ...finding }));
}
