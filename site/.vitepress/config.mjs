// The pages by VitePress. Before, TypeDoc writes the API into build/site/api.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createCssVariablesTheme } from "shiki";
import { flawsOf } from "../check.mjs";
import { useSite } from "../markdown.mjs";
import { pathOnSite, ROOT, sidebarOf, slugOf } from "../pages.mjs";
import { snippets } from "../snippets.mjs";

const beside = join(ROOT, "build/site");
if (!existsSync(join(ROOT, "dist/workbench")))
  throw new Error("dist/workbench is missing: run npm run build:workbench");
/** The files that pages link to, by their links. */
const copied = new Map();
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%23b4541f' d='M8 0l7 4v8l-7 4-7-4V4z'/%3E%3C/svg%3E";
/** A browser loads no modules and no absolute paths from files. */
const AS_FILE = `if (location.protocol === "file:") addEventListener("DOMContentLoaded", () => {
  const note = document.createElement("p");
  note.textContent = "This page was opened as a file, so it has no styles, no search and no links. Serve its folder, for example with: npx vite preview --outDir FOLDER. No network is needed. Only the pages in the folder api work as files.";
  document.body.prepend(note);
});`;

/** The pages of functions and classes in the API, by their names. TypeDoc calls a page `functions/tables.loadTable.html`. */
function apiPages() {
  const folders = ["functions", "classes", "variables"];
  return new Map(
    folders.flatMap((folder) =>
      readdirSync(join(beside, "api", folder)).map((file) => [file.split(".").at(-2), `/api/${folder}/${file}`]),
    ),
  );
}

export default {
  srcDir: "..",
  srcExclude: ["!(docs|examples)/**/*", "!(README|CHANGELOG).md"],
  // otherwise VitePress loads each file config.ts of the project
  additionalConfig: {},
  outDir: "../out/site",
  rewrites: pathOnSite,
  base: process.env.ROLLMILL_SITE_BASE,
  lang: "en",
  title: "Rollmill",
  description: "Loot, items and maps for games, with exact odds.",
  head: [
    ["link", { rel: "icon", href: ICON }],
    ["script", {}, AS_FILE],
  ],
  markdown: {
    theme: createCssVariablesTheme({ name: "rollmill", variablePrefix: "--code-", fontStyle: false }),
    anchor: { slugify: slugOf },
    image: { lazyLoad: true },
    config: (md) => useSite(md, { api: apiPages(), snippets, copied }),
  },
  transformPageData({ relativePath }) {
    if (relativePath === "index.md")
      return { frontmatter: { pageClass: "home", sidebar: false, aside: false, outline: false } };
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/guide/" },
      { text: "Formats", link: "/formats/" },
      { text: "Gallery", link: "/gallery.html" },
      { text: "API", link: "/api/index.html", target: "_self" },
      { text: "Workbench", link: "/workbench/", target: "_self" },
    ],
    sidebar: sidebarOf(),
    outline: [2, 3],
    search: { provider: "local" },
    notFound: { quote: "The site has no page at this address.", linkText: "Go to the first page" },
  },
  // the index of the search is large, and loaded by the first search
  vite: { publicDir: beside, build: { chunkSizeWarningLimit: 2000 } },
  buildEnd({ outDir, site }) {
    if (!/^\/(?:.*\/)?$/.test(site.base))
      throw new Error(`the base path is ${site.base}: expected a / at both ends, such as /rollmill/`);
    for (const [link, file] of copied) cpSync(join(ROOT, file), join(outDir, link), { recursive: true });
    const flaws = flawsOf(outDir, site.base);
    if (flaws.length > 0) throw new Error(`the site has ${flaws.length} flaws:\n${flaws.slice(0, 50).join("\n")}`);
  },
};
