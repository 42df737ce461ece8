import { shown } from "../state.js";
import { look } from "../views/look.js";

/** The command line that prints what the page shows. */
export function Command() {
  const { file, seed } = shown.value;
  const kind = look.value?.kind;
  if (kind === undefined) return null;
  const path = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  const own = /^[\w-]+$/.test(seed) ? seed : `'${seed.replaceAll("'", "'\\''")}'`;
  const lines: Record<typeof kind, string> = {
    list: `rollmill pick ${path} --odds`,
    table: `rollmill table odds ${path}`,
    drops: `rollmill drops ${path} --odds`,
    pools: `rollmill pool odds ${path}`,
    recipe: `rollmill recipe make ${path} -n 24 --seed ${own}`,
    objects: `rollmill object make ${path.replace(/[^/]*$/, "")} -n 24 --seed ${own} --level ${Number(shown.value.view.level ?? 0)}`,
    walk: `rollmill walk run ${path} --seed ${own} -o map.png`,
    world: `rollmill world picture ${path} --seed ${own} -o map.png`,
  };
  return (
    <footer class="command">
      <span>The same on the command line</span>
      <code>npx {lines[kind]}</code>
    </footer>
  );
}
