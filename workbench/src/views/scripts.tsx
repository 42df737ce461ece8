import { remember } from "../state.js";
import type { ScriptWeight } from "../work/protocol.js";

/** A slider for the weight of each script: the odds follow. */
export function Scripts({ scripts }: { readonly scripts: readonly ScriptWeight[] }) {
  return (
    <section class="card" aria-label="Scripts">
      <h3>Weights that scripts return</h3>
      <div class="sliders">
        {scripts.map(({ id, weight, most }) => (
          <label>
            <span>
              {id} <output>{weight}</output>
            </span>
            <input
              type="range"
              min={0}
              max={most}
              value={weight}
              onInput={({ currentTarget }) => remember({ [`with script ${id}`]: Number(currentTarget.value) })}
            />
          </label>
        ))}
      </div>
    </section>
  );
}
