import { createHash } from "node:crypto";
import { createMill } from "../../src/index.js";
import { type MadeObject, type ObjectTexts, parseObjects } from "../../src/objects/index.js";
import { objectName } from "../../src/objects/show/names.js";
import { LIGHTHOUSE } from "../objects/lighthouse.js";
import { SMALL } from "../objects/small.js";
import { ObjectTwin } from "../oracle/objectTwin.js";
import { streamKey } from "../oracle/words.js";

/** Objects of a range, from the small files that the tests share (their digest is in the case). */
export interface ObjectGolden {
  readonly seed: string;
  readonly name: string;
  /** SHA-256 of the texts, as JSON. */
  readonly files: string;
  readonly options: {
    readonly level: number;
    readonly good?: boolean;
    readonly great?: boolean;
    readonly kind?: number;
  };
  readonly count: number;
}

interface Made {
  readonly first: readonly string[];
  readonly words: number;
  readonly artifacts: readonly (readonly [artifact: number, object: number])[];
  /** Of all objects, records by their numbers, as JSON. */
  readonly digest: string;
}

const NAMES = 12;

/** What a case gives in a mill. */
export function objectsInMill({ seed, name, files, options, count }: ObjectGolden): Made {
  checkFiles(files);
  const maker = createMill({ seed }).objects(name, SMALL);
  const objects = maker.makeMany(count, options);
  return madeOf(Array.from({ length: count }, (_, k) => objects.at(k)));
}

/** What a case gives in a mill, from the files in the format of Angband 4.2. */
export function egosInMill({ seed, name, files, options, count }: ObjectGolden): Made {
  checkFiles(files, LIGHTHOUSE);
  return madeOf([...createMill({ seed }).objects(name, LIGHTHOUSE).makeMany(count, options)]);
}

/** What it gives by the slow twin. */
export function objectsByTwin({ seed, name, files, options, count }: ObjectGolden): Made {
  checkFiles(files);
  const { spec: parsed } = parseObjects(SMALL);
  if (parsed === undefined) throw new Error("refused");
  const { level, good, great, kind } = options;
  const asked = {
    level,
    quality: great === true ? "great" : good === true ? "good" : "normal",
    kind: parsed.kinds.find(({ number }) => number === kind),
  } as const;
  const twin = new ObjectTwin(parsed, streamKey(seed, name));
  return madeOf(
    Array.from({ length: count }, (_, k) => {
      const made = twin.make(k, asked);
      if (made === undefined) throw new Error(`there is no object ${k}`);
      return made;
    }),
  );
}

function checkFiles(digest: string, files: ObjectTexts = SMALL): void {
  if (sha256(files) !== digest) throw new Error(`the files are others: their digest is ${sha256(files)}`);
}

function madeOf(objects: readonly MadeObject[]): Made {
  const artifacts = objects.flatMap(({ artifact, index }) =>
    artifact === undefined ? [] : [[artifact.number, index] as const],
  );
  const numbers = objects.map(({ kind, artifact, theme, affixes, ...rest }) => [
    kind.number,
    artifact?.number ?? null,
    theme?.number ?? null,
    affixes.map(({ number }) => number),
    rest.depths,
    rest.affixLevel,
    rest.slots,
    rest.toHit,
    rest.toDam,
    rest.toAc,
    rest.ac,
    rest.dice,
    rest.sides,
    rest.weight,
    rest.flags,
    Object.entries(rest.pvals),
    rest.words,
  ]);
  return {
    first: objects.slice(0, NAMES).map((object) => objectName(object)),
    words: objects.reduce((sum, { words }) => sum + words, 0),
    artifacts,
    digest: sha256(numbers),
  };
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
