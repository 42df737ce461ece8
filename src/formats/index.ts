export type { Pieces } from "./checks.js";
export type { HexPicture, PictureOptions, PngLayer, PngOptions } from "./maps/mapPng.js";
export { hexPicture, toPng } from "./maps/mapPng.js";
export type { CellBounds, CellChunk, CellLayout, CellRectangle, MapSource, MapView } from "./maps/mapSource.js";
export { gridToNpy, toNpy } from "./maps/npy.js";
export type { TerrainKind, TerrainMap, TerrainMarks, TerrainPool } from "./maps/terrainMap.js";
export { type TerrainPngOptions, terrainPng } from "./maps/terrainPng.js";
export type {
  TiledLayer,
  TiledMap,
  TiledPlacements,
  TiledSector,
  TiledTileset,
  TiledTilesetOptions,
} from "./maps/tiled.js";
export { tiledMap, tiledTileset } from "./maps/tiled.js";
export type {
  FourTiles,
  ParentTileOptions,
  TileGrid,
  TileLevel,
  TilePyramid,
  TileViewerOptions,
} from "./maps/tiles.js";
export { parentTile, tilePng, tilePyramid, tileViewer } from "./maps/tiles.js";
export type { ZarrArray, ZarrAttributes, ZarrCells, ZarrDataType, ZarrShardOptions, ZarrShards } from "./maps/zarr.js";
export { readZarrShard, zarrArray, zarrGroup, zarrShard, zarrShardPath } from "./maps/zarr.js";
export { COLOR_MAP_NAMES, type ColorMapName, palette, type Rgb } from "./pictures/colors.js";
export type { MarkShape } from "./pictures/marks.js";
export { type PixelColors, type PngSize, pngChunks } from "./pictures/pngFile.js";
export type { HistogramOptions, LinePanel, LineSeries, LinesOptions } from "./pictures/svg.js";
export { svgHistogram, svgLines } from "./pictures/svg.js";
export type { CsvOptions } from "./read/csv.js";
export { type EditField, type EditFile, type EditLine, type EditRecord, readEditFile } from "./read/editFile.js";
export type { TwoDa, TwoDaColumn, TwoDaOptions, TwoDaRow, TwoDaText } from "./read/twoda.js";
export { columnIndex, parseTwoDa } from "./read/twoda.js";
export type {
  Column,
  DecimalColumn,
  IntegerColumn,
  IntegerValues,
  PhraseColumn,
  PhraseSegment,
  TextColumn,
  WordColumn,
} from "./tables/columns.js";
export { csvChunks, toCsv } from "./tables/columnsCsv.js";
export { type ParquetOptions, parquetChunks, toParquet } from "./tables/parquet.js";
