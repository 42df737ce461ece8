import { parseObjects } from "../../src/objects/index.js";
import type { MadeObject, ObjectFiles } from "../../src/objects/types.js";

/** Files in which everything that shows in a name or a description is there. */
const TEXTS = {
  object: `N:1:& Long Sword~
G:|:w
I:23:1
W:5:0:130:100
P:0:2d5:0:0:0
A:10:1 to 50
N:2:& Pair~ of Boots
G:]:u
I:30:1
P:2:1d1:0:0:0
A:10:1 to 50
D:Two of them,
D:of one size.
N:3:Leather Mail~
I:36:1
P:14:0d0:-1:0:d4
A:10:1 to 50
F:IGNORE_COLD | RES_FIRE
L:-1+d2M3:STEALTH
L:1:INFRA | STR
L:d3:INFRA
N:4:& Emerald Ring~
G:::g
I:45:1
A:10:1 to 50
N:5:& Bow~
I:19:1
P:0:1d9:0:0:0
A:10:1 to 50
N:6:& Iron Shot~
I:16:1
P:0:1d4:0:0:0
A:10:1 to 50
N:7:& Saber~
I:23:0
A:10:1 to 50
N:8:& Scimitar~
I:23:3
A:10:1 to 50
`,
  objectBase: "N:sword:Blade~\n",
  egoItem: `N:1:prefix:Sharp
C:d4:d4:0
T:sword:0:9:good:10:1 to 50
N:2:prefix:Emerald
T:sword:0:9:great:10:1 to 20
T:sword:0:9:good:10:10 to 50
G:g
D:It is green.
N:3:prefix:Old
T:sword:0:9:good:10:1 to 50
N:4:suffix:of Rust
T:sword:0:9:good:10:1 to 50
T:sword:0:9:uber:10:1 to 50
G:r
D:It is red.
N:5:suffix:of the Hoar
T:sword:1:2:uber:10:30 to 50
D:It is white.
N:6:suffix:(Guard)
T:sword:0:9:great:10:1 to 50
`,
  egoThemes: `N:1:suffix:of the Ferry
T:sword:0:9:1 to 50
A:Sharp:10
D:The toll is paid.
N:2:prefix:Royal
T:sword:0:9:1 to 50
A:Sharp:10
`,
  artifact: `N:1:'Oar'
I:sword:1
P:0:3d3:5:6:0
A:10:1 to 50
D:It has seen
D:the other side.
N:2:of the Idol
I:soft armour:1
A:10:1 to 50
`,
};

/** What is made from {@link TEXTS}. */
export const FILES: ObjectFiles = filesOf();

function filesOf(): ObjectFiles {
  const { spec: files, issues } = parseObjects(TEXTS);
  if (files === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return files;
}

/** What an object is made of, by name; the rest as the kind has it, or as given. */
export interface Making extends Partial<Omit<MadeObject, "kind" | "affixes" | "theme" | "artifact">> {
  readonly kind?: number;
  readonly affixes?: readonly string[];
  readonly theme?: string;
  readonly artifact?: string;
}

/** An object of {@link FILES}: a plain long sword at depth 15, where nothing else is said. */
export function made({ kind = 1, affixes = [], theme, artifact, ...rest }: Making = {}): MadeObject {
  const base = called(FILES.kinds, ({ number }) => number === kind);
  const level = rest.level ?? 15;
  return {
    ...{ index: 7, level, quality: "good", slots: affixes.length, added: 0, affixLevel: 2 },
    ...{ toHit: 0, toDam: 0, toAc: 0, ac: base.ac, dice: base.dice, sides: base.sides, weight: base.weight },
    ...{ flags: base.flags, pvals: {}, words: 0 },
    kind: base,
    theme: theme === undefined ? undefined : called(FILES.themes, ({ name }) => name === theme),
    artifact: artifact === undefined ? undefined : called(FILES.artifacts, ({ name }) => name === artifact),
    affixes: affixes.map((affix) => called(FILES.affixes, ({ name }) => name === affix)),
    depths: affixes.map(() => level),
    ...rest,
  };
}

function called<T>(records: readonly T[], is: (record: T) => boolean): T {
  const found = records.find(is);
  if (found === undefined) throw new Error("there is no such record");
  return found;
}
