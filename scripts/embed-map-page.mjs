// Writes the script of pages with a map into a TypeScript module: src/formats/maps/page/mapPage.ts and its imports.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const MAPS = new URL("../src/formats/maps/", import.meta.url);

const build = await rolldown({
  input: fileURLToPath(new URL("page/mapPage.ts", MAPS)),
  resolve: { extensionAlias: { ".js": [".ts"] } },
});
const { output } = await build.generate({ format: "iife", minify: true, comments: false });
await build.close();
const [{ code }] = output;
if (code.includes("</")) throw new Error('mapPage.ts: "</" could end the script of the page');

const source = `// Made from src/formats/maps/page by scripts/embed-map-page.mjs: edit nothing here.
/** Shows the map that the constant \`map\` describes in the element of the class \`map\`. */
export const MAP_SCRIPT = ${JSON.stringify(code)};
`;
writeFileSync(new URL("mapScript.ts", MAPS), source);
