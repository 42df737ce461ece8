import { expect } from "vitest";
import type { MadeObject } from "../../src/objects/types.js";
import { ObjectTwin, type TwinOptions } from "../oracle/objectTwin.js";
import { filesOf, named, scripted } from "./scripted.js";

const KINDS = `N:1:& Blade~
I:23:1
W:1:0:101:10
P:0:2d3:0:-1:0
A:10:1 to 100
N:2:& Dart~
I:17:1
P:2:1d4:0:0:0
F:SHOW_DICE | FEATHER
A:10:1 to 60
N:3:& Jack~
I:36:1
W:1:0:80:10
P:5:0d0:0:0:0
A:20:1 to 100
N:4:& Ring~
I:45:1
L:-1:STR
N:5:& Hide~
I:38:1
P:32767:0d0:32766:0:0
W:1:0:65535:0
F:GOOD | RES_COLD | VULN_COLD
`;
const AFFIXES = `N:1:suffix:of Acid
F:RES_ACID
N:2:suffix:of Sparks
F:RES_ELEC
N:3:suffix:of Flames
F:RES_FIRE
N:4:suffix:of Frost
F:RES_COLD
N:5:prefix:Thick
C:0:0:1
N:6:prefix:Lasting
F:IGNORE_FIRE
N:7:prefix:Left
F:FEATHER
N:8:prefix:Right
F:REGEN
N:9:prefix:Mended
C:0:0:0
M:255:2:255
N:10:suffix:of Might
L:1:2:STR
N:11:suffix:of Tinder
F:VULN_FIRE
N:12:suffix:of Salamanders
F:IM_FIRE
N:13:prefix:Mixed
C:d3:0:2:50
R2:2:REGEN | FEATHER | SLAY_ORC
L:2:255:SPEED
F:BRAND_FIRE | IGNORE_FIRE | HATES_ACID
N:14:prefix:Blunted
C:-1+d4M3:0:0:-20:-10:-2:1
N:15:suffix:of Chance
Z:2:d2:255:STAT
N:16:suffix:of Coats
T:soft armour:0:60:great:10:1 to 25
T:soft armour:0:60:good:25:26 to 100
N:17:prefix:Sharp
C:0:1:0
T:sword:0:60:good:30:1 to 100
X:Rusty
N:18:prefix:Rusty
C:0:-1:0
T:sword:0:60:good:10:1 to 100
N:19:prefix:Rare
F:SEE_INVIS
T:sword:0:60:great:10:1 to 100
N:20:prefix:Lonely
T:ring:0:9:good:10:1 to 100
X:Lonely
`;
const THEMES = `N:1:suffix:of Wards
T:soft armour:0:9:5 to 100
A:of Acid:7
A:of Sparks:7
A:of Flames:7
A:of Frost:7
A:Thick:2
A:Lasting:4
N:2:suffix:of Both Hands
T:sword:0:9:1 to 100
A:Left:100
A:Right:100
A:Thick:0
A:Thick:0:40
A:Right:0
N:3:suffix:of Later
T:sword:0:9:1 to 100
A:Mended:10
A:Left:10
`;
const ARTIFACTS = `N:1:'First'
I:sword:1
W:1:0:90:1
P:1:4d4:1:2:3
A:100:1 to 50
A:300:20 to 30
F:REGEN
L:d3:STR
N:2:'Second'
I:sword:1
A:100:1 to 50
N:3:'Third'
I:sword:1
P:0:9d9:0:0:0
A:100:1 to 50
Q:Sharp
Q:Rare
`;
/** Files with one of everything. */
export const files = filesOf({
  object: KINDS,
  objectBase: "N:sword:Blade~\nF:SHOW_DICE\nN:soft armour:Coat~",
  egoItem: AFFIXES,
  egoThemes: THEMES,
  artifact: ARTIFACTS,
});
/** An affix by its name. */
export const affix = (name: string) => named(files.affixes, name);
/** A sword of to-dam -1, a coat. */
export const [blade, jack] = ["Blade", "Jack"].map((name) => named(files.kinds, name));

/** The decisions of an object of a kind that is asked for, as far as its slots: no artifact, affix level 0, no slot. */
export const PLAIN = "1/400 99/100 0/2";
/** A common depth. */
export const NORMAL = { level: 10, quality: "normal" } as const;

/** What a script makes of one object; every word of it has to be read. */
export function made(
  script: string,
  options: Partial<TwinOptions>,
  { claims = new Map<number, number>(), after = (_: ObjectTwin, object: MadeObject) => object } = {},
): MadeObject {
  const twin = new ObjectTwin(files, scripted(script), { claims });
  const object = twin.make(7, { ...NORMAL, ...options });
  if (object === undefined) throw new Error("nothing was made");
  const end = after(twin, object);
  expect(end.words).toBe(script.split(" ").filter(Boolean).length);
  return end;
}

/** An object without slots, and affixes added to it one by one. */
export function withAffixes(kindName: string, script: string, ...names: string[]): MadeObject {
  return made(
    `${PLAIN} ${script}`.trim(),
    { kind: named(files.kinds, kindName) },
    {
      after: (twin, object) => names.reduce((on, name) => twin.addAffix(on, affix(name)), object),
    },
  );
}
