import { error, fail } from "../errors/index.js";
import { Kernel, type KernelModule, moduleOf, type PartName } from "../kernel/index.js";

/** The kernels of a mill and of its forks. */
export class MillKernels {
  /** Maximum memory of each kernel, in bytes. */
  readonly #maxMemory: number;
  /** The kernels that nouns share. One kernel serves several parts if these come from one module. */
  readonly #shared = new Map<KernelModule, Kernel>();
  /**
   * The kernels that belong to single nouns. The references are weak, so that an unreachable noun can be freed with its
   * kernel.
   */
  readonly #own = new Set<WeakRef<Kernel>>();
  #isDisposed = false;

  constructor(maxMemory: number) {
    this.#maxMemory = maxMemory;
  }

  /** @throws RollmillError `argument.disposed`. */
  checkAlive(): void {
    if (!this.#isDisposed) return;
    fail(error("argument.disposed", { problem: "the mill has been disposed", remedy: "Create a new mill" }));
  }

  /**
   * Returns the kernel that all nouns of the mill share, with the functions of a part.
   *
   * @throws RollmillError `argument.type` if the part is not compiled; `kernel.memory`, `argument.disposed`.
   */
  shared(part: PartName): Kernel {
    this.checkAlive();
    const module = moduleOf(part);
    const kernel = this.#shared.get(module) ?? new Kernel(module, this.#maxMemory);
    this.#shared.set(module, kernel);
    return kernel;
  }

  /**
   * Opens a kernel for one noun.
   *
   * @throws The errors of {@link shared}.
   */
  open(part: PartName, maxBytes = this.#maxMemory, maxMemory = maxBytes): Kernel {
    this.checkAlive();
    const kernel = new Kernel(moduleOf(part), Math.min(maxBytes, this.#maxMemory), maxMemory);
    for (const opened of this.#own) if (opened.deref()?.isDisposed !== false) this.#own.delete(opened);
    this.#own.add(new WeakRef(kernel));
    return kernel;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const kernel of this.#shared.values()) kernel.dispose();
    for (const kernel of this.#own) kernel.deref()?.dispose();
    this.#own.clear();
  }
}
