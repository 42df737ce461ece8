/** The level of compression. On maps, higher levels take longer and save less than 1 %. */
export const ZSTD_LEVEL = 1;

/** Loads half a megabyte of WebAssembly, which nothing else of the library needs. */
export async function zstdCodec() {
  const { default: zstd } = await import("numcodecs/zstd");
  return zstd.fromConfig({ id: "zstd", level: ZSTD_LEVEL });
}
