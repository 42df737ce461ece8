import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PartialRequest } from "../../src/objects/odds/impossible.js";
import { whyImpossible } from "../../src/objects/odds/impossible.js";
import type { ObjectFiles, Quality } from "../../src/objects/types.js";
import { anyFiles, filesOf, named } from "./oddsFiles.js";
import { reachableObjects } from "./reachable.js";

const files = filesOf({
  object: `N:1:& Kris~
I:23:4
A:30:1 to 40
N:2:& Oar~
I:21:1
A:10:30 to 60
N:3:& Sure Kris~
I:23:5
A:10:1 to 60
F:GOOD
N:4:& Ring~
I:45:1
A:10:1 to 60
N:5:& Jerkin~
I:36:1
`,
  egoItem: `N:1:prefix:Hewn
T:sword:0:9:good:3:1 to 40
X:Blunt
N:2:prefix:Blunt
T:sword:0:9:good:1:1 to 40
N:3:prefix:Deep
T:sword:0:9:good:4:200 to 255
N:4:prefix:Once
T:sword:4:4:great:2:1 to 40
X:Once
N:5:prefix:Uber
T:sword:5:5:uber:2:1 to 60
N:6:prefix:Idle
T:sword:0:9:good:0:1 to 40
T:sword:0:9:good:5:1 to 40
N:7:prefix:Oaken
T:hafted:0:9:good:5:1 to 60
N:8:prefix:Artful
T:sword:0:9:artifact:5:1 to 60
N:9:prefix:Lost
`,
  egoThemes: `N:1:suffix:of Both
T:sword:0:9:1 to 40
A:Hewn:20
A:Once:20
N:2:suffix:of Rivals
T:sword:0:9:1 to 40
A:Hewn:20
A:Blunt:20
N:3:suffix:of Feathers
T:sword:0:9:1 to 40
A:Hewn:1
A:Once:1
A:Lost:90
N:4:suffix:of Depth
T:sword:0:9:200 to 255
A:Hewn:20
A:Once:20
N:5:suffix:of Apart
T:sword:4:4:1 to 60
A:Hewn:20
A:Uber:20
`,
  artifact: `N:1:'Quick'
I:sword:4
A:10:20 to 30
N:2:'Kindless'
I:sword:9
A:10:20 to 30
N:3:'Hewn'
I:sword:4
A:10:1 to 30
Q:Hewn
Q:Once
N:4:'Idle'
I:sword:4
A:0:1 to 30
N:5:'Torn'
I:sword:4
A:10:1 to 30
Q:Hewn
Q:Blunt
`,
});
const { kind, affixes, theme } = named(files);
const artifact = (number: number) => files.artifacts.find((one) => one.number === number);
const why = (request: Partial<PartialRequest>) => {
  const finding = whyImpossible(files, { level: 10, quality: "normal", ...request });
  return finding && [finding.problem, finding.expected ?? ""].join(" | ");
};

describe("what can be is never refused", () => {
  test.each<[string, Partial<PartialRequest>]>([
    ["a kind that is never drawn by itself", { kind: kind("Jerkin") }],
    ["a type", { tval: 23 }],
    ["an affix", { affixes: affixes("Hewn") }],
    ["an affix of a level that luck brings", { affixes: affixes("Once") }],
    ["one that a boost alone reaches", { affixes: affixes("Deep") }],
    ["one of the level asked for", { affixes: affixes("Artful"), affixLevel: 3 }],
    ["a theme", { theme: theme("of Both"), quality: "good" }],
    ["a theme that a boost alone reaches", { theme: theme("of Depth"), quality: "good" }],
    ["a theme besides affixes", { theme: theme("of Both"), affixes: affixes("Hewn", "Hewn"), quality: "great" }],
    [
      "a theme besides its affix that comes once",
      { theme: theme("of Both"), affixes: affixes("Once"), quality: "good" },
    ],
    ["an artifact at its greatest depth", { artifact: artifact(1), level: 30 }],
    ["an artifact before its depth", { artifact: artifact(1) }],
    ["an artifact of affixes", { artifact: artifact(3), quality: "good" }],
  ])("%s", (_, request) => {
    expect(why(request)).toBeUndefined();
  });
});

describe("what can never be is refused with the reason", () => {
  test.each<[string, Partial<PartialRequest>, string]>([
    ["no kind in depth", { level: 0 }, "no kinds are drawn at level 0 | a depth from 1 to 60"],
    ["no kind in depth", { tval: 21 }, "no kinds of type hafted are drawn at level 10 | a depth from 30 to 60"],
    ["no kind ever", { tval: 36 }, "no kinds of type soft armour are ever drawn |"],
    ["no good kind", { tval: 45, quality: "good" }, "no good kinds of type ring are ever drawn |"],
    [
      "a kind of another type",
      { kind: kind("Ring"), tval: 23 },
      'the kind "Ring" has the type ring, not the requested type | a kind of type sword',
    ],
    [
      "no T line for the kind",
      { kind: kind("Ring"), affixes: affixes("Hewn") },
      'can get the affix "Hewn" in a request for a normal object of kind "Ring" at level 10 | a sword at depths 1 to 40',
    ],
    [
      "no T line",
      { affixes: affixes("Lost") },
      'can get the affix "Lost" in a request for a normal object at level 10 | an affix with a T line of probability above 0',
    ],
    ["the first T line weighs nothing", { affixes: affixes("Idle") }, 'can get the affix "Idle"'],
    [
      "too deep",
      { level: 41, kind: kind("Kris"), affixes: affixes("Hewn") },
      'can get the affix "Hewn" in a request for a normal object of kind "Kris" at level 41 | a sword at depths 1 to 40',
    ],
    ["beyond a boost", { level: 1, affixes: affixes("Deep") }, 'can get the affix "Deep"'],
    ["no boost at level 0", { level: 0, kind: kind("Kris"), affixes: affixes("Hewn") }, 'can get the affix "Hewn"'],
    ["too low a quality", { affixes: affixes("Uber") }, 'can get the affix "Uber"'],
    [
      "a level that is never there unasked",
      { quality: "great", affixes: affixes("Artful") },
      'can get the affix "Artful"',
    ],
    ["too low a level asked for", { affixes: affixes("Once"), affixLevel: 0 }, 'can get the affix "Once"'],
    ["rivals", { quality: "good", affixes: affixes("Hewn", "Blunt") }, '"Hewn" and "Blunt" exclude each other |'],
    ["its own rival", { quality: "good", affixes: affixes("Once", "Once") }, '"Once" only once |'],
    [
      "more than the slots",
      { affixes: affixes("Hewn", "Hewn") },
      "the request needs 2 affixes, but a normal object at level 10 can get at most 1",
    ],
    [
      "more than any slots",
      { quality: "great", level: 40, affixes: Array.from({ length: 9 }, () => affixes("Hewn")[0]) },
      "at most 6",
    ],
    [
      "two of different kinds",
      { quality: "great", affixes: affixes("Once", "Uber") },
      'no kind can get "Once" and "Uber" in a request for a great object at level 10 |',
    ],
    [
      "a theme of other kinds",
      { level: 40, quality: "good", kind: kind("Oar"), theme: theme("of Both") },
      'can get the theme "of Both" in a request for a good object of kind "Oar" at level 40 | a kind and a depth that a T line of the theme matches',
    ],
    ["a theme out of reach", { level: 1, quality: "good", theme: theme("of Depth") }, 'can get the theme "of Depth"'],
    [
      "a theme of rivals",
      { quality: "great", theme: theme("of Rivals") },
      'can get the theme "of Rivals" in a request for a great object at level 10 | two different affixes of positive weight that can occur together',
    ],
    [
      "a theme whose affixes are of different kinds",
      { quality: "great", theme: theme("of Apart") },
      'the theme "of Apart"',
    ],
    [
      "a theme beside a rival",
      { quality: "great", theme: theme("of Both"), affixes: affixes("Blunt") },
      'two different affixes of positive weight that can occur together, in addition to "Blunt"',
    ],
    [
      "a theme without slots",
      { theme: theme("of Both") },
      'can get the theme "of Both" in a request for a normal object at level 10, because such an object has at most 1 slot | 2 slots',
    ],
    [
      "a theme that weighs too little",
      { quality: "great", theme: theme("of Feathers") },
      'the theme "of Feathers" in a request for a great object at level 10 | affixes whose weight in the theme',
    ],
    [
      "an artifact too deep",
      { level: 31, artifact: artifact(1) },
      `the artifact "'Quick'" is never made at level 31 | a level of at most 30`,
    ],
    [
      "an artifact of no probability",
      { artifact: artifact(4) },
      "is never made at level 10 | an A line of probability above 0",
    ],
    ["an artifact without a kind", { artifact: artifact(2) }, "has no kind | a kind with the tval and sval sword:9"],
    [
      "an artifact of another kind",
      { kind: kind("Ring"), artifact: artifact(1) },
      'cannot be a normal object of kind "Ring" at level 10 | a kind with the tval and sval sword:4',
    ],
    ["an artifact with a theme", { artifact: artifact(1), theme: theme("of Both") }, 'cannot have the theme "of Both"'],
    [
      "an artifact with affixes",
      { artifact: artifact(1), affixes: affixes("Hewn") },
      'cannot have the requested affixes "Hewn"',
    ],
    ["an artifact of affixes without slots", { artifact: artifact(3) }, "the request needs 2 affixes, but"],
    ["an artifact of rivals", { quality: "great", artifact: artifact(5) }, "exclude each other"],
    [
      "an artifact of affixes whose kind is too deep",
      {
        level: 50,
        artifact: {
          ...files.artifacts[2],
          allocations: files.artifacts[0].allocations.map((line) => ({ ...line, most: 60 })),
        },
      },
      "the kind of the artifact",
    ],
  ])("%s", (_, request, message) => {
    expect(why(request)).toContain(message);
  });
});

describe("over random files", () => {
  const now = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 8 - weight, arbitrary: fc.constant(null) }, { weight, arbitrary });
  const request = fc.record({
    kind: now(5, fc.nat(5)),
    tval: now(1, fc.constantFrom(23, 36)),
    affixes: fc.oneof(fc.array(fc.nat(4), { maxLength: 1 }), fc.array(fc.nat(4), { maxLength: 3 })),
    theme: now(3, fc.nat(2)),
    artifact: now(1, fc.nat(2)),
    affixLevel: now(4, fc.nat(3)),
    level: fc.constantFrom(0, 2, 12, 26, 26),
    quality: fc.constantFrom<Quality>("normal", "good", "good", "great"),
  });
  type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never;
  const requestOf = (some: ObjectFiles, asked: Asked): PartialRequest => ({
    level: asked.level,
    quality: asked.quality,
    kind: asked.kind === null ? undefined : some.kinds[asked.kind],
    tval: asked.tval ?? undefined,
    affixes: asked.affixes.map((i) => some.affixes[i]),
    theme: asked.theme === null ? undefined : some.themes[asked.theme],
    artifact: asked.artifact === null ? undefined : some.artifacts[asked.artifact],
    affixLevel: asked.affixLevel ?? undefined,
  });

  test("nothing that some object is is called impossible, and most of what none is is", () => {
    let [impossible, told, possible] = [0, 0, 0];
    fc.assert(
      fc.property(anyFiles, fc.array(request, { minLength: 12, maxLength: 12 }), (some, list) => {
        for (const asked of list) {
          const wish = requestOf(some, asked);
          const isThere = reachableObjects(some, wish);
          const finding = whyImpossible(some, wish);
          if (isThere) {
            possible++;
            expect(finding, JSON.stringify(asked)).toBeUndefined();
          } else {
            impossible++;
            if (finding !== undefined) told++;
          }
        }
      }),
      { seed: 19, numRuns: 60 },
    );
    expect(possible).toBeGreaterThan(100);
    expect(impossible).toBeGreaterThan(100);
    expect(told / impossible).toBeGreaterThan(0.95);
  });
});
