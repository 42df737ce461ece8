// The pages of the site: which there are, in which order, and where their links lead. The tables of the README files of
// docs/ are the list.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The pages that are not in docs/, and their names on the site. */
const BESIDE = { "README.md": "overview.md", "CHANGELOG.md": "changes.md", "examples/README.md": "examples.md" };

const inDocs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
/** The files of all pages, as paths from the root of the project. */
export const PAGES = [
  ...inDocs.map((path) => `docs/${path.replaceAll("\\", "/")}`).filter((path) => path.endsWith(".md")),
  ...Object.keys(BESIDE),
];

/** Returns the path of a page on the site: that of `docs/guide/README.md` is `guide/index.md`. */
export function pathOnSite(page) {
  return BESIDE[page] ?? page.replace(/^docs\//, "").replace(/(^|\/)README\.md$/, "$1index.md");
}

/** Returns the groups of the sidebar. The first link of each row of a README's table is a page of its group. */
export function sidebarOf() {
  const groups = [
    { text: "Guide", link: "/guide/", items: rowsOf("docs/guide/README.md") },
    { text: "Formats", link: "/formats/", items: rowsOf("docs/formats/README.md") },
  ];
  const more = rowsOf("docs/README.md").filter((row) => groups.every(({ link }) => link !== row.link));
  const sidebar = [...groups, { text: "More", items: more }];
  const listed = ["/", ...sidebar.flatMap(({ link, items }) => [link, ...items.map((item) => item.link)])];
  const missing = PAGES.filter((page) => !listed.includes(linkTo(page)));
  if (missing.length > 0) throw new Error(`no table of a README in docs/ lists ${missing.join(", ")}: add a row`);
  return sidebar;
}

function rowsOf(readme) {
  const rows = readFileSync(join(ROOT, readme), "utf8").matchAll(/^\| \[([^\]]+)\]\(([^)#]+\.md)\)/gm);
  return Array.from(rows, ([, title, path]) => ({
    text: title[0].toUpperCase() + title.slice(1),
    link: linkTo(posix.join(posix.dirname(readme), path)),
  }));
}

function linkTo(page) {
  return `/${pathOnSite(page)}`.replace(/index\.md$/, "").replace(/\.md$/, ".html");
}

/**
 * Returns where a relative link of a page leads on the site: to another page, to the workbench, or to the copy of a
 * file of the project, whose path is `file`.
 */
export function targetOf(page, href) {
  const [path, hash] = href.split(/(?=#)/);
  const file = posix.join(posix.dirname(page), path).replace(/\/$/, "");
  if (PAGES.includes(file)) return { link: linkTo(file) + (hash ?? "") };
  if (file === "workbench") return { link: "/workbench/", file: "dist/workbench" };
  // a browser shows the code of a copied page, because the page needs files that are not on the site
  return { link: `/files/${file.replace(/\.html$/, ".html.txt")}`, file };
}

/** The ids of headings are those of GitHub, so that the links between pages are right in both places. */
export function slugOf(title) {
  const kept = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "");
  return kept.replaceAll(" ", "-");
}
