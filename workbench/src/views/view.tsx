import { isBusy } from "../work/ask.js";
import { Items } from "./items.js";
import { isCurrent, issues, look } from "./look.js";
import { Odds } from "./odds.js";
import { Pools } from "./pools.js";
import { WalkMap } from "./walk.js";
import { Reasons } from "./why.js";
import { Words } from "./words/words.js";
import { WorldMap } from "./world.js";

const NAMES = {
  list: "List",
  table: "Table",
  drops: "Drops",
  pools: "Pools",
  recipe: "Recipe",
  objects: "Objects",
  walk: "Walk",
  world: "World",
};

/** What the shown file makes. Errors stand above it; then what is below is of the text before. */
export function View() {
  const found = look.value;
  return (
    <div class="view" data-state={isCurrent.value ? "current" : "stale"} aria-busy={isBusy.value}>
      <Issues />
      <Words />
      {found === undefined ? (
        <p class="empty">{issues.value.length > 0 ? "Mend the first error, and the results appear here." : "…"}</p>
      ) : (
        <>
          <h2>{NAMES[found.kind]}</h2>
          <Body />
          <Reasons />
        </>
      )}
    </div>
  );
}

function Body() {
  const shown = look.value?.shown;
  switch (shown?.view) {
    case "odds":
      return <Odds {...shown} />;
    case "pools":
      return <Pools {...shown} />;
    case "items":
      return <Items {...shown} />;
    case "walk":
      return <WalkMap {...shown} />;
    case "world":
      return <WorldMap {...shown} />;
  }
  return null;
}

function Issues() {
  const all = issues.value;
  if (all.length === 0) return null;
  return (
    <ul class="issues" aria-live="polite">
      {all.slice(0, 20).map(({ severity, message, where: { file, line, column, path } }) => (
        <li data-severity={severity}>
          <b>
            {severity}
            {line !== undefined && ` · ${file}:${line}${column === undefined ? "" : `:${column}`}`}
            {path !== undefined && ` · ${path}`}
          </b>
          <span>{message}</span>
        </li>
      ))}
      {all.length > 20 && <li>… and {all.length - 20} more</li>}
    </ul>
  );
}
