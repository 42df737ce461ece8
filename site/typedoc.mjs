// A plugin of TypeDoc: the links from the API to the pages of the site, which are one folder above, and its colours.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { PAGES, pathOnSite, ROOT } from "./pages.mjs";

export function load(app) {
  app.renderer.on("endPage", (page) => {
    const above = "../".repeat(page.url.split("/").length);
    page.contents = page.contents
      .replace(/href="(?=(?:guide|formats|workbench)\/index\.html")/g, `href="${above}`)
      .replace(/(?<![\w/])docs\/[\w/-]+\.md(?=[^<>]*<\/p>)/g, (file) => linkTo(file, above));
  });
  app.renderer.on("endRender", ({ outputDirectory }) => {
    cpSync(join(ROOT, "workbench/src/colors.css"), join(outputDirectory, "assets/colors.css"));
  });
}

/** A doc comment names a page by its path in the project. */
function linkTo(file, above) {
  if (!PAGES.includes(file))
    throw new Error(`a doc comment names ${file}, which is not a page: expected a path such as docs/jobs.md`);
  return `<a href="${above}${pathOnSite(file).replace(/\.md$/, ".html")}">${file}</a>`;
}
