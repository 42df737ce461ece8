export type { Pieces } from "./checks.js";
export { COLOR_MAP_NAMES, type ColorMapName, palette, type Rgb } from "./colors.js";
export type {
  Column,
  DecimalColumn,
  IntegerColumn,
  IntegerValues,
  PhraseColumn,
  PhraseSegment,
  TextColumn,
  WordColumn,
} from "./columns.js";
export { csvChunks, toCsv } from "./columnsCsv.js";
export type { CsvOptions } from "./csv.js";
export { type EditField, type EditFile, type EditLine, type EditRecord, readEditFile } from "./editFile.js";
export { type HexPicture, hexPicture, type PictureOptions } from "./hexPicture.js";
export type { CellBounds, CellChunk, CellLayout, MapSource, MapView } from "./mapSource.js";
export type { MarkShape } from "./marks.js";
export { gridToNpy, toNpy } from "./npy.js";
export { type ParquetOptions, parquetChunks, toParquet } from "./parquet.js";
export { type PngLayer, type PngOptions, toPng } from "./png.js";
export { type PixelColors, type PngSize, pngChunks } from "./pngFile.js";
export { type HistogramOptions, svgHistogram } from "./svgHistogram.js";
export { type LinePanel, type LineSeries, type LinesOptions, svgLines } from "./svgLines.js";
export type { TerrainKind, TerrainPool } from "./terrainKind.js";
export { type TerrainMap, type TerrainMarks, type TerrainPngOptions, terrainPng } from "./terrainPng.js";
export {
  type TiledLayer,
  type TiledMap,
  type TiledPlacements,
  type TiledSector,
  type TiledTileset,
  type TiledTilesetOptions,
  tiledMap,
  tiledTileset,
} from "./tiled.js";
export {
  type FourTiles,
  type ParentTileOptions,
  parentTile,
  type TileGrid,
  type TileLevel,
  type TilePyramid,
  tilePng,
  tilePyramid,
} from "./tilePyramid.js";
export { type TileViewerOptions, tileViewer } from "./tileViewer.js";
export {
  columnIndex,
  parseTwoDa,
  type TwoDa,
  type TwoDaColumn,
  type TwoDaOptions,
  type TwoDaRow,
  type TwoDaText,
} from "./twoda.js";
export {
  readZarrShard,
  type ZarrArray,
  type ZarrAttributes,
  type ZarrCells,
  type ZarrDataType,
  type ZarrShardOptions,
  type ZarrShards,
  zarrArray,
  zarrGroup,
  zarrShard,
  zarrShardPath,
} from "./zarr.js";
