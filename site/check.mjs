// Checks the built site: each link leads to a file and an id that exist, and no page loads anything from another server.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const ORIGIN = "http://site";
/** What a page or a style sheet loads from another server. Links for readers are not among it. */
const OUTSIDE =
  /(?:<(?:script|img|link|iframe|source|video|audio|object)\b[^>]*?\s(?:src|href|srcset|data)="|url\(["']?|@import ["'])((?:https?:)?\/\/[^"')]*)/g;

/** Returns a line for each flaw of the pages and style sheets of a folder. */
export function flawsOf(folder, base) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"));
  const texts = files
    .filter((file) => /\.(?:html|css)$/.test(file))
    .map((file) => [file, readFileSync(join(folder, file), "utf8")]);
  const ids = new Map(texts.map(([file, text]) => [file, idsIn(text)]));
  const site = { base, files: new Set(files), ids };
  return texts.flatMap(([file, text]) => {
    const dead = linksIn(text, new URL(base + file, ORIGIN)).flatMap((link) => flawOf(link, site) ?? []);
    const loads = Array.from(text.matchAll(OUTSIDE), ([, address]) => `loads ${address}`);
    return [...dead, ...loads].map((flaw) => `${file}: ${flaw}`);
  });
}

function idsIn(html) {
  return new Set(Array.from(html.matchAll(/\s(?:id|name)="([^"]*)"/g), ([, id]) => id));
}

/** The addresses of a page's links and parts on the site. */
function linksIn(html, page) {
  const found = html.matchAll(/<[a-z][^<>]*?\s(?:href|src)="([^"]*)"/g);
  const urls = Array.from(found, ([, href]) => new URL(href.replaceAll("&amp;", "&"), page));
  return [...new Set(urls.filter(({ origin }) => origin === ORIGIN).map(({ href }) => href))];
}

function flawOf(link, { base, files, ids }) {
  const { pathname, hash } = new URL(link);
  if (!pathname.startsWith(base)) return `${link} is outside the base path`;
  const file = decodeURI(pathname)
    .slice(base.length)
    .replace(/(^|\/)$/, "$1index.html");
  if (!files.has(file)) return `${link} has no file`;
  // the workbench has a document behind its #, and a picture a shape
  if (hash === "" || file === "workbench/index.html" || !ids.has(file)) return undefined;
  return ids.get(file).has(decodeURIComponent(hash.slice(1))) ? undefined : `${link} has no such heading`;
}
