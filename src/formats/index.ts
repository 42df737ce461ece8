export { COLOR_MAP_NAMES, type ColorMapName, palette, type Rgb } from "./colormap.js";
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
export type { Pieces } from "./pieces.js";
export { type PngLayer, type PngOptions, toPng } from "./png.js";
export { type PixelColors, type PngSize, pngChunks } from "./pngChunks.js";
export { type HistogramOptions, svgHistogram } from "./svgHistogram.js";
export { type LinePanel, type LineSeries, type LinesOptions, svgLines } from "./svgLines.js";
export type { TerrainPool } from "./terrainCells.js";
export {
  type TerrainKind,
  type TerrainMap,
  type TerrainMarks,
  type TerrainPngOptions,
  terrainPng,
} from "./terrainPng.js";
export { type TiledLayer, type TiledMap, type TiledPlacements, type TiledSector, tiledMap } from "./tiled.js";
export { type TiledTileset, type TiledTilesetOptions, tiledTileset } from "./tiledTileset.js";
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
  type ZarrArray,
  type ZarrAttributes,
  type ZarrDataType,
  type ZarrShards,
  zarrArray,
  zarrGroup,
  zarrShardPath,
} from "./zarr.js";
export { readZarrShard, type ZarrCells, type ZarrShardOptions, zarrShard } from "./zarrShard.js";
