import { addressOfCell } from "../../calls/index.js";
import { Pool } from "../../pools/pool.js";
import { Recipe } from "../../recipes/recipe.js";
import { readOptions } from "../../spec/index.js";
import { DIRECTIONS } from "../../walks/directions.js";
import { distanceBetween } from "../../walks/hexes.js";
import type { Cell } from "../../walks/index.js";
import { type CellRectangle, cellsOfGrid, grown, overlap } from "../../walks/rectangles.js";
import { relationsOf } from "../../worlds/areas.js";
import { type Placement, traitsOf } from "../../worlds/placements.js";
import type { ConditionSpec, ContentSpec, PlacementSpec, TerrainSpec } from "../../worlds/types.js";
import { REGION_SIDE } from "../../worlds/types.js";
import type { World, WorldCell } from "../../worlds/world.js";
import { holdsAt } from "./cells.js";
import { indexedSubject } from "./nouns.js";
import type { CellPlace, Subject } from "./subject.js";
import type { Tracer } from "./tracer.js";

export function cellSubject(world: World, at: CellPlace): Subject {
  const { row, col } = readOptions("at", at, ["row", "col"]);
  const cell = world.at(row, col);
  return {
    noun: "world",
    setup: world,
    at: { row, col },
    result: cell,
    trace: (tracer) => new CellTrace(world, [row, col], cell).trace(tracer),
    // an object is not plain data, but its JSON is. The realms follow from other cells
    plain: JSON.parse(JSON.stringify({ ...cell, terrain: cell.terrain?.name ?? null, realms: undefined })),
  };
}

/** Decides the terrain of a cell, its placements and their contents, as docs/determinism.md says. */
class CellTrace {
  readonly #world: World;
  readonly #cell: Cell;
  readonly #known: WorldCell;

  constructor(world: World, cell: Cell, known: WorldCell) {
    this.#world = world;
    this.#cell = cell;
    this.#known = known;
  }

  trace(tracer: Tracer): WorldCell {
    const terrain = this.#terrain(tracer);
    const placements = this.#world.kinds.flatMap((kind, number) => {
      const part = tracer.part(kind.name);
      const stands = this.#stands(part, kind, terrain);
      if (!stands && !this.#isStamped(part, kind)) return [];
      const [row, col] = this.#cell;
      const traits = this.#traits(part.fork("placements").fork(kind.name), kind);
      const content = this.#contents(part, number, stands ? terrain : this.#finished());
      return [{ row, col, kind: kind.name, ...traits, ...(content !== undefined && { content }) }];
    });
    const { visits, fields, realms } = this.#known;
    const base = this.#world.terrains[terrain];
    const laid = this.#laid(tracer, base);
    return { terrain: laid ?? base, visits, fields, realms, placements, ...(laid !== undefined && { base }) };
  }

  /** Whether a stamp placed a kind that does not stand here by itself. */
  #isStamped(part: Tracer, { name }: PlacementSpec): boolean {
    const isStamped = this.#known.placements.some(({ kind }) => kind === name);
    if (isStamped) part.fact("placed by a stamp", "yes");
    return isStamped;
  }

  #finished(): number {
    return this.#world.terrains.findIndex(({ name }) => name === this.#known.terrain?.name);
  }

  /** Names the paths that have the cell. Returns its terrain; undefined if the world has neither paths nor stamps. */
  #laid(tracer: Tracer, base: TerrainSpec | undefined): TerrainSpec | undefined {
    if (this.#known.base === undefined) return undefined;
    const [row, col] = this.#cell;
    const paths = this.#world.paths({ row0: row, col0: col, rows: 1, cols: 1 });
    for (const { name, from, to, reason } of paths) {
      if (reason !== undefined) continue;
      tracer.part(`path ${name}`).fact(`from (${from.join(", ")}) to (${to.join(", ")})`, "has the cell");
    }
    const { terrain } = this.#known;
    if (terrain?.name !== base?.name) tracer.fact("terrain that paths and stamps lay", terrain?.name ?? "");
    return terrain;
  }

  /** Tries the rules in order, and returns the index of the terrain of the first one that holds. */
  #terrain(tracer: Tracer): number {
    const { rules, terrains } = this.#world.plan.spec;
    for (const [i, { terrain, when }] of rules.entries()) {
      const { name } = terrains[terrain];
      const part = tracer.part(`rule ${i + 1}, ${name}`);
      if (when === undefined) part.fact("no condition", "yes");
      if (when === undefined || this.#holds(part, when, ["terrain", name])) return terrain;
    }
    return 0;
  }

  /** `ids` are those of the forks of the world that lead to the streams of the condition's chances. */
  #holds(tracer: Tracer, condition: ConditionSpec, ids: readonly string[]): boolean {
    const decided = (what: string, holds: boolean, value?: number) => {
      tracer.fact(what, holds ? "yes" : "no", value);
      return holds;
    };
    switch (condition.kind) {
      case "all":
      case "any": {
        // tests every condition, because each one has numbers to show
        const held = condition.of.map((one) => this.#holds(tracer, one, ids));
        const holds = condition.kind === "all" ? held.every(Boolean) : held.some(Boolean);
        return decided(`${condition.kind} of the ${held.length}`, holds);
      }
      case "not":
        return decided("not", !this.#holds(tracer, condition.of, ids));
      case "chance": {
        const own = ids.reduce((words, id) => words.fork(id), tracer).fork(condition.number);
        return holdsAt(own, "chance", condition.chance, this.#cell);
      }
      case "within": {
        const distance = this.#distanceTo(condition.layer, condition.distance);
        return decided(
          `within ${condition.distance} of ${this.#layer(condition.layer)}`,
          distance !== undefined,
          distance,
        );
      }
      default: {
        const { least, most } = condition;
        const [what, value] = this.#counted(condition);
        const holds = value !== undefined && value >= least && value <= most;
        const range = most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} … ${most}`;
        return decided(`${what}, ${range}`, holds, value);
      }
    }
  }

  #counted(condition: Extract<ConditionSpec, { readonly least: number }>): readonly [string, number | undefined] {
    const { visits, fields } = this.#known;
    if (condition.kind === "field") {
      const { name } = this.#world.fields[condition.field];
      return [`field ${name}`, fields[name]];
    }
    const { kind, layer } = condition;
    const name = this.#layer(layer);
    return [`${kind} of ${name}`, kind === "visits" ? visits[name] : this.#firstVisit(layer)];
  }

  #layer(index: number): string {
    return this.#world.layers[index].name;
  }

  #firstVisit(layer: number): number | undefined {
    const [row, col] = this.#cell;
    const name = this.#layer(layer);
    const window = this.#world.window({ row0: row, col0: col, rows: 1, cols: 1 }, { visits: [name], contents: false });
    return window.firstVisitAt(name, row, col);
  }

  /** The distance to the nearest cell that a layer visited. Undefined if it is above `most`. */
  #distanceTo(layer: number, most: number): number | undefined {
    const name = this.#layer(layer);
    const window = this.#world.window(this.#around(most), { visits: [name], contents: false });
    const visits = window.visits(name);
    const distances = this.#near(window, most).flatMap(({ at, distance }) => (visits[at] > 0 ? [distance] : []));
    return distances.length === 0 ? undefined : Math.min(...distances);
  }

  /** The cells of the grid that are at most so many rows and columns away. */
  #around(distance: number): CellRectangle {
    const [row0, col0] = this.#cell;
    // in odd-r coordinates, the column of a cell at a distance d differs by at most d, too
    return overlap(grown({ row0, col0, rows: 1, cols: 1 }, distance), cellsOfGrid(this.#grid));
  }

  get #grid() {
    return this.#world.plan.spec.grid;
  }

  /** The cells of a rectangle at a distance of at most `most`, with their indices in its arrays. */
  #near({ row0, col0, rows, cols }: CellRectangle, most: number) {
    return Array.from({ length: rows * cols }, (_, at) => {
      const cell: Cell = [row0 + Math.floor(at / cols), col0 + (at % cols)];
      return { at, cell, distance: distanceBetween(this.#grid, this.#cell, cell) };
    }).filter(({ distance }) => distance <= most);
  }

  #stands(tracer: Tracer, kind: PlacementSpec, terrain: number): boolean {
    const { terrains, plan } = this.#world;
    const { distance, at } = kind;
    if (at.some((cell) => distanceBetween(this.#grid, cell, this.#cell) === 0)) {
      tracer.fact("a cell of at", "stands");
      return true;
    }
    const isPlace = plan.spec.rules.length === 0 || kind.terrains.includes(terrain);
    if (!isPlace) {
      tracer.fact(`can stand on ${terrains[terrain].name}`, "no");
      return false;
    }
    const words = tracer.fork("placements").fork(kind.name);
    const hasRelations = this.#hasRelations(kind);
    if (hasRelations && !this.#isAllowed(tracer, kind)) return false;
    const priority = priorityAt(words, kind, this.#cell);
    if (hasRelations) return this.#isStanding(tracer, kind, priority !== undefined);
    if (priority === undefined) return false;
    if (distance === 0) return true;
    const rivals = this.#rivals(words.silent(), kind);
    const [first] = rivals.sort(bySize);
    const isFirst = first === undefined || bySize({ priority, cell: this.#cell }, first) < 0;
    const so = isFirst ? "stands" : "does not stand, because one of them is smaller";
    tracer.fact(`other candidates within ${distance}`, so, rivals.length);
    if (first !== undefined) {
      const part = `${kind.name}, the smallest other candidate, (${first.cell.join(", ")})`;
      priorityAt(words.part(part), kind, first.cell);
    }
    return isFirst;
  }

  #hasRelations({ near, apart, alone, where, at, least, most }: PlacementSpec): boolean {
    return alone || at.length > 0 || [near, apart, where, least, most].some((field) => field !== undefined);
  }

  /** Whether the cell meets what a kind asks of earlier kinds, of the cells of `at` and of its condition. */
  #isAllowed(tracer: Tracer, kind: PlacementSpec): boolean {
    const { name, where, at, distance } = kind;
    const { kinds } = this.#world;
    const byHand = at.map((cell) => distanceBetween(this.#grid, cell, this.#cell));
    const isFree = byHand.every((steps) => steps > distance);
    if (at.length > 0) tracer.fact(`no cell of at within ${distance}`, isFree ? "yes" : "no", Math.min(...byHand));
    const relations = relationsOf(kind, this.#numberOf(kind)).map((relation) => {
      const found = this.#stepsTo(relation.kind, relation.distance);
      const isMet = (found !== undefined) === relation.isNear;
      const other = `${kinds[relation.kind].name} within ${relation.distance}`;
      tracer.fact(`${relation.isNear ? "" : "no "}${other}`, isMet ? "yes" : "no", found);
      return isMet;
    });
    // tests every condition, because each one has numbers to show
    const holds = where === undefined || this.#holds(tracer, where, ["placements", name, "where"]);
    return isFree && relations.every(Boolean) && holds;
  }

  #numberOf({ name }: PlacementSpec): number {
    return this.#world.kinds.findIndex((kind) => kind.name === name);
  }

  /** The distance to the nearest placement of a kind that no stamp placed. Undefined if it is above `most`. */
  #stepsTo(kind: number, most: number): number | undefined {
    const { rows, cols } = this.#world.before(this.#around(most)).placements[kind];
    const distances = Array.from(rows, (row, k) => distanceBetween(this.#grid, this.#cell, [row, cols[k]]));
    const nearest = distances.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return nearest <= most ? nearest : undefined;
  }

  /** Takes the result from the world: the other candidates, and the discs of `least` and `most`, are not traced. */
  #isStanding(tracer: Tracer, kind: PlacementSpec, isCandidate: boolean): boolean {
    const { distance, least, most } = kind;
    const stands = this.#stepsTo(this.#numberOf(kind), 0) === 0;
    if (!isCandidate) {
      if (stands) tracer.fact("added by least", "stands");
      return stands;
    }
    const deciding = [`other candidates within ${distance}`, ...(most ? ["most"] : []), ...(least ? ["least"] : [])];
    tracer.fact(`${deciding.join(", ")} (not traced)`, stands ? "stands" : "does not stand");
    return stands;
  }

  /** The size and the facing of a placement, if its kind has them. */
  #traits(words: Tracer, kind: PlacementSpec): Pick<Placement, "size" | "facing"> {
    const asked = (what: string) => ({ what, ...addressOfCell(this.#cell) });
    const { sizes, facing } = kind;
    const size = sizes === undefined ? 0 : words.fork("size").pick(asked("size"), sizes);
    const direction = (number: number) => DIRECTIONS[number];
    const faces = facing ? words.fork("facing").below(asked("facing"), DIRECTIONS.length, direction) : 0;
    return traitsOf(kind, size, faces);
  }

  /** The other candidates within the distance of a kind. */
  #rivals(words: Tracer, kind: PlacementSpec): Candidate[] {
    const { plan } = this.#world;
    const around = this.#around(kind.distance);
    const { terrain } = this.#world.before(around);
    return this.#near(around, kind.distance).flatMap(({ at, cell, distance }) => {
      const isPlace = plan.spec.rules.length === 0 || kind.terrains.includes(terrain[at]);
      const priority = isPlace && distance > 0 ? priorityAt(words, kind, cell) : undefined;
      return priority === undefined ? [] : [{ priority, cell }];
    });
  }

  /** The contents of a placement: an object if they have names, or the only content. Undefined if it has none. */
  #contents(tracer: Tracer, number: number, terrain: number): unknown {
    const kind = this.#world.kinds[number];
    const made = kind.contents.map(
      (content) => [content.name, this.#content(tracer, number, content, terrain)] as const,
    );
    const known = made.filter(([, content]) => content !== undefined);
    if (known.length === 0 || known[0][0] === undefined) return known[0]?.[1];
    return Object.fromEntries(known);
  }

  #content(tracer: Tracer, number: number, content: ContentSpec, terrain: number): unknown {
    const kind = this.#world.kinds[number];
    const placed = this.#placedBefore(number);
    const { i, j, terrains } = placed;
    const opened = this.#world.contentNoun(kind, content, { terrain, placed });
    if (opened === undefined) {
      const so = "only a job makes it, because it comes from one stock for the whole world";
      tracer.fact(content.name ?? "content", so);
      return undefined;
    }
    const { noun, options } = opened;
    const rank = terrains.length;
    const { source } = content.groups[content.groupOf[terrain]];
    tracer.fact(`${kind.name} before it in region ${i} ${j}`, `result ${rank} of ${content.kind} ${source}`, rank);
    const { kernel } = noun instanceof Pool ? noun.family : noun;
    const path = content.name === undefined ? [kind.name] : [kind.name, content.name];
    const inner = tracer.inside([...path, "content"].join(", "), kernel);
    const words = ["contents", ...path].reduce((part, id) => part.fork(id), inner).fork([i, j]);
    const made = indexedSubject(noun, rank, options).trace(words);
    return noun instanceof Recipe ? withoutOrigin(made as object) : made;
  }

  /** The placements of a kind that stand in the region before the cell, with their terrains. */
  #placedBefore(number: number) {
    const [row, col] = this.#cell;
    const [i, j] = this.#cell.map((at) => Math.floor(at / REGION_SIDE));
    const { rows, cols, kinds, terrains } = this.#world.region(i, j, { contents: false }).placements;
    const before = [...kinds.keys()].filter(
      (k) => kinds[k] === number && (rows[k] < row || (rows[k] === row && cols[k] < col)),
    );
    return { i, j, terrains: Uint8Array.from(before, (k) => terrains[k]) };
  }
}

/** Returns an item without its origin, as a world contains it. */
function withoutOrigin(item: object): object {
  const { words: _, ids: __, outcomes: ___, index: ____, seed: _____, ...content } = item as Record<string, unknown>;
  return content;
}

interface Candidate {
  readonly priority: number;
  readonly cell: Cell;
}

function bySize(a: Candidate, b: Candidate): number {
  return a.priority - b.priority || a.cell[0] - b.cell[0] || a.cell[1] - b.cell[1];
}

/** The priority of a candidate, 0 if its kind has no distance. Undefined if the cell is not a candidate. */
function priorityAt(words: Tracer, { density, distance }: PlacementSpec, cell: Cell): number | undefined {
  const before = words.decisions.length;
  if (!holdsAt(words, "density", density, cell)) return undefined;
  if (distance === 0) return 0;
  const skipped = words.decisions.length === before ? 0 : words.decisions[before].extra.length;
  return words.below({ what: "priority", ...addressOfCell(cell), skipped }, 2 ** 32, String);
}
