// What the site adds to the Markdown of the pages: links as they are on the site, names that lead to the API, a link to
// the workbench below each snippet that it opens, and the pictures of the workbench.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT, targetOf } from "./pages.mjs";

/**
 * `api`: the addresses of names in the API. `snippets`: the links of snippets, by their text. `copied` gets the files
 * that pages link to, by their links.
 */
export function useSite(md, { api, snippets, copied }) {
  md.core.ruler.before("normalize", "pictures", (state) => {
    state.src = state.src.replace("<!-- the pictures of the workbench -->", pictures);
  });
  md.core.ruler.after("inline", "site", ({ tokens, env, Token }) => {
    const page = relative(ROOT, env.realPath ?? env.path).replaceAll("\\", "/");
    tokens.forEach((token, i) => {
      if (token.type === "html_block") token.content = withRelativeImages(token.content);
      // a cell without a heading is no header for a screen reader
      if (token.type === "th_open" && tokens[i + 1].content === "") token.tag = tokens[i + 2].tag = "td";
      if (token.children === null) return;
      const isHeading = tokens[i - 1]?.type === "heading_open";
      if (!isHeading) token.children = withNames(token.children, (text) => addressOf(api, text, page), Token);
      for (const child of token.children) placeLink(child, page, copied);
    });
  });
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, i, options, env, self) => {
    const block = fence(tokens, i, options, env, self);
    const link = snippets.get(tokens[i].content);
    if (link === undefined) return block;
    // VitePress stores the title of what it renders in env
    const opener = md.renderInline(`[Open in the workbench](/workbench/${link})`, { ...env });
    return `${block}<p class="opener">${opener}</p>`;
  };
}

/** Returns the pictures of docs/gallery such as `workbench-world-light-1440.png`. The theme shows those of its colours. */
function pictures() {
  const names = readdirSync(join(ROOT, "docs/gallery")).map((file) => /^workbench-(\w+)-(\w+)-(\d+)\.png$/.exec(file));
  const lines = names.map((name) => name && `![The view ${name[1]}, ${name[2]}](gallery/${name[0]})`);
  return lines.filter((line) => line !== null).join("\n");
}

function placeLink(token, page, copied) {
  if (token.type === "html_inline") token.content = withRelativeImages(token.content);
  if (token.type !== "link_open") return;
  const href = token.attrGet("href");
  if (!/^(?:[a-z]+:|[#/])/.test(href)) {
    const { link, file } = targetOf(page, decodeURI(href));
    token.attrSet("href", link);
    if (file !== undefined) copied.set(link, file);
  }
  // not a page of VitePress, so the browser itself must open it
  if (/^\/(?:api|files|workbench)\//.test(token.attrGet("href"))) token.attrSet("target", "_self");
}

/** Vite finds an image only if its path begins with a dot. */
function withRelativeImages(html) {
  return html.replace(/(<img src=")(?![./]|\w+:)/g, "$1./");
}

/**
 * The address of a name in the API. Only the page of calls has names alone: on other pages, `search` can be a command.
 * A name with a capital letter inside, such as `toCsv`, is always of the API.
 */
function addressOf(api, text, page) {
  const [, name] = /^(?:mill\.)?(\w+)$/.exec(text) ?? [];
  return page === "docs/guide/api.md" || /[A-Z]/.test(name ?? "") ? api.get(name) : undefined;
}

/** Puts a link around each code span that is a name. */
function withNames(tokens, addressOfName, Token) {
  let depth = 0;
  return tokens.flatMap((token) => {
    depth += token.nesting;
    const address = token.type === "code_inline" && depth === 0 ? addressOfName(token.content) : undefined;
    if (address === undefined) return [token];
    const opening = new Token("link_open", "a", 1);
    opening.attrs = [["href", address]];
    return [opening, token, new Token("link_close", "a", -1)];
  });
}
