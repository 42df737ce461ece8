import type { ForkId } from "./address.js";
import type { Noun } from "./calls/index.js";
import { CoreMill, MILL_OPTIONS, type MillOptions, millParts } from "./core/mill.js";
import type { Dice, DiceInput, DiceOptions, DiceSpec } from "./dice/index.js";
import { dice } from "./dice/system.js";
import { embeddedKernel } from "./kernel/embedded.js";
import { compileKernel, isKernelCompiled, type KernelSource, loadKernel, type OneOrSeveral } from "./kernel/index.js";
import type { ObjectFiles, ObjectMaker, ObjectSetup, ObjectTexts } from "./objects/index.js";
import { objects } from "./objects/system.js";
import type { IdsOf, PoolFamily, PoolsInput, PoolsOptions, PoolsSpec } from "./pools/index.js";
import { pools } from "./pools/system.js";
import type { Recipe, RecipeInput, RecipeOptions, RecipeSpec, SlotOf, StatOf } from "./recipes/index.js";
import { recipes } from "./recipes/system.js";
import type { ItemsInput, SampleOptions, Sampler, SamplerSpec, ShuffleOptions } from "./samples/index.js";
import { samples } from "./samples/system.js";
import { readOptions } from "./spec/index.js";
import { drops } from "./tables/drops/system.js";
import type {
  DropOf,
  DroppedOf,
  Drops,
  DropsInput,
  DropsOptions,
  DropsSpec,
  LabelledTable,
  ResultOf,
  RollOf,
  Table,
  TableObject,
  TableSetup,
  TableSource,
  TableSpec,
} from "./tables/index.js";
import { tables } from "./tables/system.js";
import type { Walk, WalkInput, WalkOptions, WalkSpec } from "./walks/index.js";
import { walks } from "./walks/system.js";
import type {
  LabelledInput,
  LabelledList,
  LabelledSpec,
  LabelOf,
  NoRepeats,
  NoRepeatsInput,
  NoRepeatsSpec,
  PickOf,
  Pity,
  PityInput,
  PitySpec,
  WeightedList,
  WeightedOptions,
  WeightedSpec,
  WeightsInput,
} from "./weighted/index.js";
import { noRepeats } from "./weighted/noRepeats/system.js";
import { isLabelled } from "./weighted/parse.js";
import { pity } from "./weighted/pity/system.js";
import { labelled, weighted } from "./weighted/system.js";
import type { PlacementOf, World, WorldInput, WorldOptions, WorldSpec } from "./worlds/index.js";
import { worlds } from "./worlds/system.js";

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
 * @param given - Option `kernel`: the kernel as one file, or as a list of its parts. Default: the copy in the library.
 * @throws The errors of {@link createMill}.
 */
export async function createMillAsync(
  given: MillOptions & { readonly kernel?: OneOrSeveral<KernelSource> },
): Promise<Mill> {
  const { kernel, ...options } = readOptions("createMillAsync", given, [...MILL_OPTIONS, "kernel"]);
  if (kernel !== undefined || !isKernelCompiled()) await loadKernel(kernel ?? embeddedKernel());
  return new Mill(millParts(options));
}

/**
 * Opens tables, weighted lists, dice, samplers, recipes, walks, families of pools, object makers and streams. You name
 * each table, list and so on when you open it. The name selects the random words.
 */
export class Mill extends CoreMill {
  /**
   * Opens a list to pick from. The result of a pick is an index or a label:
   *
   * - A list of weights picks indices.
   * - An object with weights by label, or a list of entries with `result`, `weight` and `quantity`, picks labels.
   *
   * The second argument may also be a result of `parseWeights` or `parseLabels`.
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
   * Opens a list with pity to pull from: the chance of a hit grows with the pulls since the last hit.
   *
   * @throws RollmillError `weights.*`, `amount.invalid`, `argument.range`, `argument.type`, `argument.option`,
   * `argument.name-taken`; `snapshot.invalid` if the mill's snapshot is damaged.
   */
  pity<const Input extends PityInput>(
    name: string,
    input: Input,
    options?: WeightedOptions,
  ): Pity<LabelOf<Input["list"]>, PickOf<Input["list"]>>;
  pity(name: string, spec: PitySpec, options?: WeightedOptions): Pity<string | null, unknown>;
  pity(name: string, input: PityInput | PitySpec, options: WeightedOptions = {}): Noun {
    return this.open(pity, name, input, options);
  }

  /**
   * Opens a list without repeats: a pick differs from the last results, by default from the last one.
   *
   * @throws RollmillError `weights.*`, `amount.invalid`, `argument.range`, `argument.type`, `argument.option`,
   * `argument.name-taken`; `snapshot.invalid` if the mill's snapshot is damaged.
   */
  noRepeats<const Input extends NoRepeatsInput>(
    name: string,
    input: Input,
    options?: WeightedOptions,
  ): NoRepeats<LabelOf<Input["list"]>, PickOf<Input["list"]>>;
  noRepeats(name: string, spec: NoRepeatsSpec, options?: WeightedOptions): NoRepeats<string | null, unknown>;
  noRepeats(name: string, input: NoRepeatsInput | NoRepeatsSpec, options: WeightedOptions = {}): Noun {
    return this.open(noRepeats, name, input, options);
  }

  /**
   * Opens dice to roll: "2d6+1", "d20", or a range such as "2-5".
   *
   * @throws RollmillError `amount.invalid`, `argument.type`, `argument.option`, `argument.name-taken`.
   */
  dice(name: string, input: DiceInput | DiceSpec, options: DiceOptions = {}): Dice {
    return this.open(dice, name, input, options);
  }

  /**
   * Opens a source of random integers. All integers from `least` to `most` are equally probable.
   *
   * @param least - The minimum, −2^31 … 2^31 − 1.
   * @param most - The maximum, inclusive, `least` … 2^31 − 1. The range may contain at most 2^32 − 1 integers.
   * @throws RollmillError `amount.invalid`, `argument.option`, `argument.name-taken`.
   */
  int(name: string, least: number, most: number, options: DiceOptions = {}): Dice {
    return this.open(dice, name, { least, most }, options);
  }

  /**
   * Opens a shuffle: every draw returns all items in random order.
   *
   * @param items - A list of at most 10 million values, or a number n for the items 0 … n − 1.
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`, `argument.name-taken`.
   */
  shuffle(name: string, items: number, options?: ShuffleOptions): Sampler<number>;
  shuffle<const Item>(
    name: string,
    items: readonly Item[] | SamplerSpec<Item>,
    options?: ShuffleOptions,
  ): Sampler<Item>;
  shuffle(name: string, items: unknown, options: ShuffleOptions = {}): Sampler<unknown> {
    return this.open(samples, name, items, readOptions("mill.shuffle", options, ["file"]));
  }

  /**
   * Opens a sampler: every draw returns `size` of the items in random order. A draw returns no item twice.
   *
   * @param items - A list of at most 10 million values, or a number n for the items 0 … n − 1.
   * @throws RollmillError `argument.range`, for example if `size` exceeds the number of items; `argument.type`,
   * `argument.option`, `argument.name-taken`.
   */
  sample(name: string, items: number, options?: SampleOptions): Sampler<number>;
  sample<const Item>(name: string, items: readonly Item[] | SamplerSpec<Item>, options?: SampleOptions): Sampler<Item>;
  sample(name: string, items: ItemsInput<unknown> | SamplerSpec, options: SampleOptions = {}): Sampler<unknown> {
    return this.open(samples, name, items, options);
  }

  /**
   * Opens a table to roll. The source is an object, or the text of a 2DA, CSV or JSON file. If the table jumps to other
   * files, pass their contents in the option `files`.
   *
   * @throws RollmillError with all errors of the source; `argument.option`, `argument.name-taken`, `snapshot.invalid`
   * if the mill's snapshot does not fit the table.
   */
  table<const Input extends TableObject | LabelledTable>(
    name: string,
    source: Input,
    options?: TableSetup,
  ): Table<ResultOf<Input>, RollOf<Input>>;
  table<Input>(name: string, spec: TableSpec<Input>, options?: TableSetup): Table<ResultOf<Input>, RollOf<Input>>;
  table(name: string, source: TableSource, options?: TableSetup): Table;
  table(name: string, source: TableSource, options: TableSetup = {}): Noun {
    return this.open(tables, name, source, options);
  }

  /**
   * Opens drops to roll. A drop consists of fixed results, and of the results of several rolls of a table.
   *
   * @throws RollmillError with all errors of the drops and of their table; `argument.option`, `argument.name-taken`.
   */
  drops<const Input extends DropsInput>(
    name: string,
    input: Input,
    options?: DropsOptions,
  ): Drops<DropOf<Input>, DroppedOf<Input>>;
  drops<Input>(name: string, spec: DropsSpec<Input>, options?: DropsOptions): Drops<DropOf<Input>, DroppedOf<Input>>;
  drops(name: string, input: DropsInput | DropsSpec, options: DropsOptions = {}): Noun {
    return this.open(drops, name, input, options);
  }

  /**
   * Opens a recipe to make items with. Use a shipped recipe by its name, or pass your own recipe with its word tables.
   *
   * @param recipe - Default: the shipped recipe called `name`.
   * @throws RollmillError `recipe.unknown`, all errors of the recipe and its tables, `recipe.candidates`,
   * `recipe.overflow`; `argument.option`, `argument.name-taken`.
   */
  recipe<const Input extends RecipeSpec>(
    name: string,
    recipe: Input,
    options?: RecipeOptions,
  ): Recipe<StatOf<Input>, SlotOf<Input>>;
  recipe(name: string, recipe?: RecipeInput, options?: RecipeOptions): Recipe;
  recipe(name: string, recipe: RecipeInput = name, options: RecipeOptions = {}): Noun {
    return this.open(recipes, name, recipe, options);
  }

  /**
   * Opens a walk over a hex grid. The name `<name>/<layer>` selects the random words of each layer.
   *
   * @throws RollmillError with all errors of the spec; `argument.option`, `argument.name-taken`.
   */
  walk(name: string, spec: WalkInput | WalkSpec, options: WalkOptions = {}): Walk {
    return this.open(walks, name, spec, options);
  }

  /**
   * Opens a world: layers of walks, terrain and placements, on one map. The map may be infinite or finite.
   *
   * @param spec - an object, or a spec that `parseWorld` of `rollmill/worlds` returned.
   * @throws RollmillError with every error of the spec; `argument.option`, `argument.range`, `argument.name-taken`.
   */
  world<const Input extends WorldInput>(name: string, spec: Input, options?: WorldOptions): World<PlacementOf<Input>>;
  world(name: string, spec: WorldInput | WorldSpec, options?: WorldOptions): World;
  world(name: string, spec: WorldInput | WorldSpec, options: WorldOptions = {}): Noun {
    return this.open(worlds, name, spec, options);
  }

  /**
   * Opens a family of pools to draw from.
   *
   * @param spec - An object, the text of a CSV or JSON file, or a result of `parsePools`. Default: an empty family.
   * @throws RollmillError with all errors of the spec; `argument.option`, `argument.name-taken`, `snapshot.invalid` if
   * the mill's snapshot does not fit the spec.
   */
  pools<const Input extends PoolsInput>(name: string, spec: Input, options?: PoolsOptions): PoolFamily<IdsOf<Input>>;
  pools(name: string, spec?: PoolsInput | PoolsSpec | string, options?: PoolsOptions): PoolFamily;
  pools(name: string, spec: PoolsInput | PoolsSpec | string = { roots: {} }, options: PoolsOptions = {}): Noun {
    return this.open(pools, name, spec, options);
  }

  /**
   * Opens a maker of objects, such as weapons and armour, with affixes, themes and artifacts. The files are Angband's
   * edit files of version 4, or the gamedata files of Angband 4.2.
   *
   * @param files - The texts of the files, or the result of `parseObjects`.
   * @throws RollmillError with all errors of the files; `object.files` if the files exceed the limits in
   * docs/formats/objects.md; `kernel.memory` if the objects need too much memory; `argument.option`; `argument.type`
   * for an invalid option `stock`; `argument.name-taken`; `snapshot.invalid` if the mill's snapshot is damaged, or
   * lists an artifact of this maker that the files lack.
   */
  objects(name: string, files: ObjectTexts | ObjectFiles, options: ObjectSetup = {}): ObjectMaker {
    return this.open(objects, name, files, options);
  }

  /** Returns a child mill, as {@link CoreMill.fork} does. Throws RollmillError `argument.type`, `argument.range`. */
  override fork(id: ForkId): Mill {
    return new Mill(this.forkParts(id));
  }
}
