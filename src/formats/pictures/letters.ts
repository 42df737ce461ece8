import type { Canvas } from "./canvas.js";

/**
 * The printable ASCII characters, from space to ~. A character has five columns of seven pixels. Each column is two
 * hexadecimal digits; the top pixel is the lowest bit. The shapes follow common character displays.
 */
const GLYPHS =
  "000000000000005f00000007000700147f147f14242a7f2a12231308646236495522500000030000001c2241000041221c00" +
  "082a1c2a0808083e080800503000000808080808006060000020100804023e5149453e00427f400042615149462141454b31" +
  "1814127f1027454545393c4a49493001710905033649494936064949291e0036360000005636000008142241001414141414" +
  "00412214080201510906324979413e7e1111117e7f494949363e414141227f4141221c7f494949417f090909013e4149497a" +
  "7f0808087f00417f41002040413f017f081422417f404040407f020c027f7f0408107f3e4141413e7f090909063e4151215e" +
  "7f09192946464949493101017f01013f4040403f1f2040201f3f4038403f631408146307087008076151494543007f414100" +
  "02040810200041417f0004020102044040404040000102040020545454787f484444383844444420384444487f3854545418" +
  "087e0901020c5252523e7f0804047800447d40002040443d007f1028440000417f40007c041804787c080404783844444438" +
  "7c14141408081414187c7c080404084854545420043f4440203c4040207c1c2040201c3c4030403c44281028440c5050503c" +
  "4464544c44000836410000007f000000413608001008081008";

/** Size of a character in units (see below). The width includes the gap after the character. */
export const GLYPH_WIDTH = 6;
export const GLYPH_HEIGHT = 7;

export function forEachPixel(text: string, take: (x: number, y: number) => void): void {
  for (const [i, character] of [...text].entries()) {
    for (const [column, bits] of columnsOf(character).entries()) {
      for (let y = 0; y < GLYPH_HEIGHT; y++) if (((bits >> y) & 1) === 1) take(i * GLYPH_WIDTH + column, y);
    }
  }
}

/** Returns the columns of a character, of which the lowest bit is the top. */
function columnsOf(character: string): number[] {
  const code = character.codePointAt(0) ?? 0;
  const glyph = code >= 0x20 && code <= 0x7e ? code - 0x20 : "?".charCodeAt(0) - 0x20;
  return Array.from({ length: GLYPH_WIDTH - 1 }, (_, column) => {
    const at = 10 * glyph + 2 * column;
    return Number.parseInt(GLYPHS.slice(at, at + 2), 16);
  });
}

/** Letters of names that go below the line, or are narrow. */
const NAME_LETTERS: Readonly<Record<string, readonly number[]>> = {
  " ": [0, 0],
  g: [0x38, 0x144, 0x144, 0x144, 0xfc],
  i: [0x7d],
  j: [0x100, 0x100, 0xfd],
  l: [0x7f],
  p: [0x1fc, 0x44, 0x44, 0x44, 0x38],
  q: [0x38, 0x44, 0x44, 0x44, 0x1fc],
  y: [0x3c, 0x140, 0x140, 0x140, 0xfc],
};
/** Height of a name in units, with the part below the line. */
export const NAME_HEIGHT = 9;

/** Returns the columns of a letter in a name, as wide as the letter. */
function nameColumns(character: string): readonly number[] {
  const own = Object.hasOwn(NAME_LETTERS, character) ? NAME_LETTERS[character] : undefined;
  if (own !== undefined) return own;
  const columns = columnsOf(character);
  const isUsed = (bits: number) => bits !== 0;
  return columns.slice(columns.findIndex(isUsed), columns.findLastIndex(isUsed) + 1);
}

/** Returns the width of a name in units. */
export function nameUnits(text: string): number {
  return [...text].reduce((sum, character) => sum + nameColumns(character).length + 1, -1);
}

/** Draws a name in smooth lines. A unit is `unit` eighths of a pixel. */
export function drawName(
  canvas: Canvas,
  text: string,
  { x, y, unit, width, color }: Readonly<Record<"x" | "y" | "unit" | "width" | "color", number>>,
): void {
  let left = 0;
  for (const character of text) {
    const columns = nameColumns(character);
    const at = (column: number, line: number): readonly [number, number] => [
      8 * x + (left + column) * unit + unit / 2,
      8 * y + line * unit + unit / 2,
    ];
    for (const [from, to] of strokesOf(columns)) canvas.line(at(...from), at(...to), width, color);
    left += columns.length + 1;
  }
}

type Point = readonly [column: number, line: number];

/** Joins the pixels of a character to lines: with neighbours in its row and column, or else across a corner. */
function strokesOf(columns: readonly number[]): [Point, Point][] {
  const pixels = columns.flatMap((bits, column) =>
    Array.from({ length: NAME_HEIGHT }, (_, line): Point => [column, line]).filter(([, line]) => (bits >> line) & 1),
  );
  const isSet = (column: number, line: number) => pixels.some(([x, y]) => x === column && y === line);
  return pixels.flatMap(([x, y]): [Point, Point][] => {
    const ends: Point[] = [];
    if (isSet(x + 1, y)) ends.push([x + 1, y]);
    if (isSet(x, y + 1)) ends.push([x, y + 1]);
    for (const side of [-1, 1]) {
      if (isSet(x + side, y + 1) && !isSet(x + side, y) && !isSet(x, y + 1)) ends.push([x + side, y + 1]);
    }
    const isAlone = pixels.every(([column, line]) => Math.abs(column - x) + Math.abs(line - y) !== 1);
    return isAlone && ends.length === 0
      ? [
          [
            [x, y],
            [x, y],
          ],
        ]
      : ends.map((end) => [[x, y], end]);
  });
}
