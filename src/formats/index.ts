export type { Pieces } from "./checks.js";
export { type CellHeights, cellsOfPixels, type PixelRectangle, pixelsOfCells, squareHeights } from "./maps/heights.js";
export {
  type HexPicture,
  hexPicture,
  type PictureOptions,
  type PngLayer,
  type PngOptions,
  toPng,
} from "./maps/mapPng.js";
export type { CellBounds, CellChunk, CellLayout, CellRectangle, MapSource, MapView } from "./maps/mapSource.js";
export { gridToNpy, toNpy } from "./maps/npy.js";
export { type PmtilesArchive, pmtilesChunks, pmtilesId } from "./maps/pmtiles.js";
export type { TerrainKind, TerrainMap, TerrainMarks, TerrainPool } from "./maps/terrainMap.js";
export { type TerrainPngOptions, terrainPng } from "./maps/terrainPng.js";
export {
  type TiledLayer,
  type TiledMap,
  type TiledPlacements,
  type TiledPoints,
  type TiledSector,
  type TiledTileset,
  type TiledTilesetOptions,
  type TiledWorldMap,
  tiledMap,
  tiledTileset,
  tiledWorld,
} from "./maps/tiled.js";
export type { TiledEncoding } from "./maps/tiledTiles.js";
export {
  type FourTiles,
  type ParentTileOptions,
  parentTile,
  type TileGrid,
  type TileLevel,
  type TilePyramid,
  type TileViewerOptions,
  tilePng,
  tilePyramid,
  tileViewer,
} from "./maps/tiles.js";
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
} from "./maps/zarr.js";
export { COLOR_MAP_NAMES, type ColorMapName, palette, type Rgb } from "./pictures/colors.js";
export type { MarkShape } from "./pictures/marks.js";
export { type PixelColors, type PngSize, pngChunks } from "./pictures/pngFile.js";
export {
  type HistogramOptions,
  type LinePanel,
  type LineSeries,
  type LinesOptions,
  svgHistogram,
  svgLines,
} from "./pictures/svg.js";
export type { ThemeName } from "./pictures/themes.js";
export type { CsvOptions } from "./read/csv.js";
export { type EditField, type EditFile, type EditLine, type EditRecord, readEditFile } from "./read/editFile.js";
export {
  columnIndex,
  parseTwoDa,
  type TwoDa,
  type TwoDaColumn,
  type TwoDaOptions,
  type TwoDaRow,
  type TwoDaText,
} from "./read/twoda.js";
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
