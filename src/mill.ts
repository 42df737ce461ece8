import type { ForkId } from "./address.js";
import type { Noun } from "./calls/index.js";
import { prepareKernel } from "./core/create.js";
import { CoreMill, MILL_OPTIONS, type MillOptions, millParts } from "./core/mill.js";
import { embeddedKernel } from "./kernel/embedded.js";
import { compileKernel, isKernelCompiled, type KernelSource } from "./kernel/index.js";
import type { ObjectFiles, ObjectMaker, ObjectSetup, ObjectTexts } from "./objects/index.js";
import { objects } from "./objects/system.js";
import type { PoolFamily, PoolsInput, PoolsOptions, PoolsSpec } from "./pools/index.js";
import { pools } from "./pools/system.js";
import type { Recipe, RecipeInput, RecipeOptions } from "./recipes/index.js";
import { recipes } from "./recipes/system.js";
import { readOptions } from "./spec/index.js";
import type { Table, TableSetup, TableSource } from "./tables/index.js";
import { tables } from "./tables/system.js";
import type { Walk, WalkInput, WalkOptions } from "./walks/index.js";
import { walks } from "./walks/system.js";
import type {
  LabelledInput,
  LabelledList,
  LabelledSpec,
  LabelOf,
  PickOf,
  WeightedList,
  WeightedOptions,
  WeightedSpec,
  WeightsInput,
} from "./weighted/index.js";
import { isLabelled } from "./weighted/parseLabels.js";
import { labelled, weighted } from "./weighted/system.js";

export type { MillOptions } from "./core/mill.js";

/**
 * Creates a mill, synchronously. The first call in a process compiles the kernel.
 *
 * @throws RollmillError `kernel.unsupported`, `argument.type`, `argument.range`, `argument.option`, `snapshot.invalid`,
 * `snapshot.version`.
 */
export function createMill(given: MillOptions): Mill {
  const options = readOptions("createMill", given, MILL_OPTIONS);
  if (!isKernelCompiled()) compileKernel(embeddedKernel());
  return new Mill(millParts(options));
}

/**
 * Creates a mill and compiles its kernel off the main thread.
 *
 * @param given - `kernel` is where the kernel comes from. Default: the bytes inside the library.
 * @throws The errors of {@link createMill}.
 */
export async function createMillAsync(given: MillOptions & { readonly kernel?: KernelSource }): Promise<Mill> {
  const options = readOptions("createMillAsync", given, [...MILL_OPTIONS, "kernel"]);
  await prepareKernel(options.kernel);
  return new Mill(millParts(options));
}

/**
 * Opens tables, weighted lists, recipes, walks, families of pools, object makers and streams. Each has its own name,
 * which selects its random words.
 */
export class Mill extends CoreMill {
  /**
   * Opens a list to pick from. Weights give a list that picks indices. Weights by label, or entries with `result`,
   * `weight` and perhaps `quantity`, give a list that picks labels. What `parseWeights` and `parseLabels` returned is
   * accepted too.
   *
   * @throws RollmillError `weights.*`, `amount.invalid`, `argument.type`, `argument.option`, `argument.name-taken`.
   */
  override weighted<Input>(
    name: string,
    spec: LabelledSpec<Input>,
    options?: WeightedOptions,
  ): LabelledList<LabelOf<Input>, PickOf<Input>>;
  override weighted<const Input extends LabelledInput>(
    name: string,
    input: Input,
    options?: WeightedOptions,
  ): LabelledList<LabelOf<Input>, PickOf<Input>>;
  override weighted(name: string, weights: WeightsInput | WeightedSpec, options?: WeightedOptions): WeightedList;
  override weighted(name: string, input: unknown, options: WeightedOptions = {}): Noun {
    return isLabelled(input) ? this.open(labelled, name, input, options) : this.open(weighted, name, input, options);
  }

  /**
   * Opens a table to roll, from the text of a 2DA file or an object.
   *
   * @throws RollmillError with every error of the source; `argument.option`, `argument.name-taken`, `snapshot.invalid` if the mill's snapshot does not fit the table.
   */
  table(name: string, source: TableSource, options: TableSetup = {}): Table {
    return this.open(tables, name, source, options);
  }

  /**
   * Opens a recipe to make items with: a shipped recipe by its name, or your own recipe with its word tables.
   *
   * @param recipe - default: the shipped recipe called `name`.
   * @throws RollmillError `recipe.unknown`, every error of the recipe and its tables, `recipe.candidates`,
   * `recipe.overflow`; `argument.option`, `argument.name-taken`.
   */
  recipe(name: string, recipe: RecipeInput = name, options: RecipeOptions = {}): Recipe {
    return this.open(recipes, name, recipe, options);
  }

  /**
   * Opens a walk over a hex grid. The words of each layer go by the name `<name>/<layer>`.
   *
   * @throws RollmillError with every error of the spec; `argument.option`, `argument.name-taken`.
   */
  walk(name: string, spec: WalkInput, options: WalkOptions = {}): Walk {
    return this.open(walks, name, spec, options);
  }

  /**
   * Opens a family of pools to draw from.
   *
   * @param spec - an object, or a spec that `parsePools` returned. Default: an empty family, for roots that you
   * register later.
   * @throws RollmillError with every error of the spec; `argument.option`, `argument.name-taken`, `snapshot.invalid` if the mill's snapshot does not fit the spec.
   */
  pools(name: string, spec: PoolsInput | PoolsSpec = { roots: {} }, options: PoolsOptions = {}): PoolFamily {
    return this.open(pools, name, spec, options);
  }

  /**
   * Opens a maker of objects, such as weapons and armour, with affixes, themes and artifacts.
   *
   * @param files - the texts of edit files, or the files that `parseObjects` returned.
   * @throws RollmillError with every error of the files; `object.files` if they exceed what a plan can hold
   * (docs/formats.md), `kernel.memory` if the plan does not fit in memory; `argument.option`,
   * `argument.type` for an invalid stock, `argument.name-taken`; `snapshot.invalid` if the mill's snapshot is damaged, or
   * has an artifact of this maker that the files lack.
   */
  objects(name: string, files: ObjectTexts | ObjectFiles, options: ObjectSetup = {}): ObjectMaker {
    return this.open(objects, name, files, options);
  }

  /**
   * Returns a child mill: everything that it opens has other random words and a separate state. It shares kernel, memory
   * limit and clock. {@link get} finds in it what was opened in this mill.
   *
   * @param id - A text; a safe integer or a bigint of 64 bits; or a pair of 32-bit integers, such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  override fork(id: ForkId): Mill {
    return new Mill(this.forkParts(id));
  }
}
