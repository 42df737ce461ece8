import { forkKey, type StreamKey } from "../../address.js";
import type { Fraction } from "../../fractions.js";
import { type Address, NO_ADDRESS } from "../../kernel/index.js";
import { NEVER, TerrainCode, type TerrainOp } from "../../kernel/layout.js";
import { reachesOf } from "../conditions.js";
import type { ConditionSpec, WorldSpec } from "../types.js";

const MOST_VISITS = 2 ** 32 - 1;
/** In a mask, the byte of a cell for which the condition holds. */
const HOLDS = 0xff;

/** A probability between 0 and 1, and the key of its random words. */
export interface Chance {
  readonly key: StreamKey;
  readonly share: Fraction;
}

/** An operation of the kernel. `chance` is in place of `share`, because the chance has no address in the kernel yet. */
interface Op extends Omit<TerrainOp, "share"> {
  readonly chance: Chance | undefined;
}

/** The rules of a world as operations of the kernel. */
export interface Program {
  readonly ops: readonly Op[];
  /** Number of masks that the stack needs. */
  readonly depth: number;
  /** Number of rows of counts. */
  readonly rows: number;
  /** Number of chances. */
  readonly chances: number;
  /** Maps the index of each layer that `within` conditions name to the greatest distance in these conditions. */
  readonly reaches: ReadonlyMap<number, number>;
}

/** Compiles the rules of a world. `maps` are the layers' maps; `key` is the key of the world. */
export function compileRules(spec: WorldSpec, maps: readonly Address[], key: StreamKey): Program {
  return new ProgramCompiler(spec, maps, forkKey(key, "terrain")).compile();
}

class ProgramCompiler {
  readonly #spec: WorldSpec;
  readonly #maps: readonly Address[];
  readonly #key: StreamKey;
  readonly #ops: Op[] = [];
  /** The number of each row of counts, by kind of count and layer. */
  readonly #rows = new Map<string, number>();
  /** The field `reaches` of {@link Program}. The n-th layer of this map has the n-th plane of distances. */
  readonly #reaches: ReadonlyMap<number, number>;
  #chances = 0;
  #height = 0;
  #depth = 0;

  constructor(spec: WorldSpec, maps: readonly Address[], key: StreamKey) {
    this.#spec = spec;
    this.#maps = maps;
    this.#key = key;
    this.#reaches = reachesOf(spec.rules);
  }

  compile(): Program {
    const { rules, terrains } = this.#spec;
    // a world without rules has terrain 0 everywhere
    if (rules.length === 0) this.#emit({ code: TerrainCode.FILL, value: 0 });
    for (const { terrain, when } of rules.toReversed()) {
      if (when === undefined) {
        this.#emit({ code: TerrainCode.FILL, value: terrain });
      } else {
        this.#condition(when, forkKey(this.#key, terrains[terrain].name));
        this.#pop({ code: TerrainCode.RULE, value: terrain });
      }
    }
    return {
      ops: this.#ops,
      depth: this.#depth,
      rows: this.#rows.size,
      chances: this.#chances,
      reaches: this.#reaches,
    };
  }

  /** Emits the operations that push the mask of a condition. `key` is the key of the rule's terrain. */
  #condition(condition: ConditionSpec, key: StreamKey): void {
    switch (condition.kind) {
      case "visits":
        this.#range(condition, TerrainCode.LOAD_VISITS, MOST_VISITS);
        break;
      case "firstVisit":
        this.#range(condition, TerrainCode.LOAD_FIRST_VISITS, NEVER - 1);
        break;
      case "within":
        this.#within(condition.layer, condition.distance);
        break;
      case "chance":
        this.#chance(condition.chance, forkKey(key, condition.number));
        break;
      case "not":
        this.#condition(condition.of, key);
        this.#emit({ code: TerrainCode.NOT });
        break;
      default:
        this.#join(condition.kind, condition.of, key);
    }
  }

  /** Joins the masks of conditions. An empty `all` always holds, and an empty `any` never holds. */
  #join(kind: "all" | "any", of: readonly ConditionSpec[], key: StreamKey): void {
    if (of.length === 0) this.#constant(kind === "all");
    for (const [i, one] of of.entries()) {
      this.#condition(one, key);
      if (i > 0) this.#pop({ code: kind === "all" ? TerrainCode.AND : TerrainCode.OR });
    }
  }

  #within(layer: number, distance: number): void {
    const slot = [...this.#reaches.keys()].indexOf(layer);
    this.#push({ code: TerrainCode.WITHIN, slot, value: distance });
  }

  #range(range: { layer: number; least: number; most: number }, load: TerrainCode, greatest: number): void {
    const { layer, least } = range;
    const most = Math.min(range.most, greatest);
    if (least > most) {
      this.#constant(false);
      return;
    }
    if (load === TerrainCode.LOAD_VISITS && least <= 1 && most === greatest) {
      if (least === 0) this.#constant(true);
      // the distances to the layer's cells are computed anyway, and reading them is faster than reading the map again
      else if (this.#reaches.has(layer)) this.#within(layer, 0);
      else this.#push({ code: TerrainCode.VISITED, map: this.#maps[layer] });
      return;
    }
    const name = `${load} ${layer}`;
    const slot = this.#rows.get(name) ?? this.#rows.size;
    // loads a row of counts at its first use; later operations find the row loaded
    if (slot === this.#rows.size) this.#emit({ code: load, slot, map: this.#maps[layer] });
    this.#rows.set(name, slot);
    this.#push({ code: TerrainCode.RANGE, slot, least, span: most - least });
  }

  #chance(share: Fraction, key: StreamKey): void {
    const { numerator, denominator } = share;
    if (numerator === 0n || numerator === denominator) this.#constant(numerator !== 0n);
    else this.#push({ code: TerrainCode.CHANCE, slot: this.#chances++, chance: { key, share } });
  }

  #constant(holds: boolean): void {
    this.#push({ code: TerrainCode.CONSTANT, value: holds ? HOLDS : 0 });
  }

  #push(op: OpFields): void {
    this.#emit(op);
    this.#height++;
    this.#depth = Math.max(this.#depth, this.#height);
  }

  #pop(op: OpFields): void {
    this.#emit(op);
    this.#height--;
  }

  #emit(op: OpFields): void {
    this.#ops.push({ slot: 0, map: NO_ADDRESS, least: 0, span: 0, value: 0, chance: undefined, ...op });
  }
}

/** Only the fields that the operation uses. */
type OpFields = Pick<Op, "code"> & Partial<Op>;
