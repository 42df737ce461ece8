import type { Key } from "./port.mjs";

interface Numbered {
  number: number;
}

export interface MadeByPort {
  kind: Numbered;
  artifact?: Numbered;
  theme?: Numbered;
  affixes: Numbered[];
  depths: number[];
  affixLevel: number;
  slots: number;
  words: number;
  toHit: number;
  toDam: number;
  toAc: number;
  ac: number;
  dice: number;
  sides: number;
  weight: number;
  flags: string[];
  pvals: Record<string, number>;
}

export function halfNormal(): number[];

export function mBonusWeights(m: number, level: number): readonly number[];

export function makeObject(
  key: Key,
  files: object,
  index: number,
  options: { level: number; quality: "normal" | "good" | "great"; made: Map<number, number>; constants?: unknown },
): MadeByPort;
