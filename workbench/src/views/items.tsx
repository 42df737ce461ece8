import { remember, shown } from "../state.js";
import type { Shown } from "../work/protocol.js";
import { Why } from "./why.js";

const MAX_LEVEL = 127;

/** A shelf of the first items of the seed. */
export function Items({ items, level }: Extract<Shown, { view: "items" }>) {
  return (
    <>
      {level !== undefined && (
        <label class="field">
          <span>Depth {level}</span>
          <input
            type="range"
            min={0}
            max={MAX_LEVEL}
            value={level}
            onInput={({ currentTarget }) => remember({ "with level": Number(currentTarget.value) })}
          />
        </label>
      )}
      <p class="quiet">
        The first {items.length} of the seed {JSON.stringify(shown.value.seed)}. The dice gives others.
      </p>
      <ul class="shelf">
        {items.map(({ name, index: _, seed: __, ...parts }, k) => (
          <li>
            <h3>{name}</h3>
            <dl>
              {Object.entries(parts).map(([part, value]) => (
                <div>
                  <dt>{part}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Why at={k} />
          </li>
        ))}
      </ul>
    </>
  );
}
