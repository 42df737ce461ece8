import type { ObjectTexts } from "../../src/objects/types.js";

/** A small set of files with every type of line in it. The golden files pin its digest: change a copy, with {@link smallWith}. */
export const SMALL: ObjectTexts & { readonly egoThemes: string; readonly flags: undefined } = {
  object: `# kinds
V:1.0
N:1:& Kris~
G:|:w
I:23:4
W:3:0:15:20
P:0:2d3:0:-1:0
A:30:1 to 40
F:SHOW_DICE | SHOW_MODS |
D:A wavy blade.

N:2:& Splint Coat~
I:37:2
P:14:0d0:-1:0:d4M3
A:20:5 to 60
W:5:0:180:90
L:-1+d2M3:STEALTH
C:7
N:9:& Idol~
I:40:3:0
M:10:1d2
E:BLESS
F:INSTA_ART
`,
  objectBase: `D:B:15
N:sword:Blade~
B:5
F:HATES_ACID
N:hard armor:Mail~
F:HATES_ACID | HATES_FIRE
`,
  egoItem: `N:1:prefix:Hewn
C:1+d4:d2M3:0
M:0:255:255
T:sword:0:9:good:20:1 to 50
T:sword:0:9:great:5:51 to 127
X:of Rust
N:4:suffix:of Rust
C:0:0:-d5:-20:10:-1:-2
F:VULN_ACID
T:hard armour:0:9:good:10:1 to 30
T:sword:4:4:uber:1:1 to 255
D:It crumbles
D:at the touch.
N:2:suffix:of Two Gifts
R:2:LRES | HRES
R2:1:SLAY_ORC | SLAY_TROLL
L:d3:1:STR | CON
Z:1:1+M2:255:STAT
G:v
F:IGNORE_ACID
T:sword:0:99:artifact:3:10 to 127
`,
  egoThemes: `N:1:suffix:of the Ferry
T:sword:0:9:1 to 127
A:Hewn:20
A:2:14:50
A:Hewn:0
D:The toll is paid.
`,
  artifact: `N:1:'Oar'
I:sword:Kris
W:20:3:15:9000
P:0:3d3:5:6:-1
A:10:5 to 20
A:40:21 to 127
F:SLAY_EVIL | FREE_ACT
L:2:STR
E:LIGHT:5+d5
M:It glows.
D:It has seen the other side.
Q:Hewn
N:2:of the Idol
I:amulet:3
A:100:1 to 9
`,
  flags: undefined,
};

/** The files, some of them changed. */
export function smallWith(changes: Partial<ObjectTexts>): ObjectTexts {
  return { ...SMALL, ...changes };
}
