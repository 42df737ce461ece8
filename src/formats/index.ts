export { COLOR_MAP_NAMES, type ColorMapName, palette, type Rgb } from "./colormap.js";
export { type CsvRow, type CsvTable, type CsvTableOptions, parseCsvTable, toCsvTable } from "./csvTable.js";
export { type HexPicture, hexPicture, type PictureOptions } from "./hexPicture.js";
export type { CellBounds, MapSource } from "./mapSource.js";
export { toNpy } from "./npy.js";
export { type PngLayer, type PngOptions, toPng } from "./png.js";
