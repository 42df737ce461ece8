// The packages whose code is copied into dist, so that the installed package depends on no other one. For each import
// path of src: the file in dist/vendor, the names that src imports, and the platform that the code is built for.
export const INLINED = {
  "@assemblyscript/loader": { file: "loader", names: ["instantiateSync"], platform: "browser" },
  seedrandom: { file: "seedrandom", names: ["default"], platform: "browser" },
  "hyparquet-writer/src/bytewriter.js": { file: "hyparquet-writer", names: ["ByteWriter"], platform: "browser" },
  "hyparquet-writer/src/datapage.js": { file: "hyparquet-writer", names: ["writePageHeader"], platform: "browser" },
  "hyparquet-writer/src/metadata.js": { file: "hyparquet-writer", names: ["writeMetadata"], platform: "browser" },
  "numcodecs/zstd": { file: "numcodecs", names: ["default"], platform: "browser" },
  commander: {
    file: "commander",
    names: ["Command", "CommanderError", "InvalidArgumentError", "Option"],
    platform: "node",
  },
  "jsonc-parser": { file: "jsonc-parser", names: ["findNodeAtLocation", "parseTree"], platform: "browser" },
  "cli-progress": { file: "cli-progress", names: ["SingleBar"], platform: "node" },
};
