import { useId } from "preact/hooks";
import { change, shown } from "../state.js";
import type { Field } from "../work/protocol.js";

/** A form with a field for each request that the noun takes. The results follow. */
export function Requests({ fields }: { readonly fields: readonly Field[] }) {
  const optional = fields.filter(({ most }) => most === undefined).map(({ name }) => name);
  return (
    <form class="requests card" aria-label="Requests" onSubmit={(event) => event.preventDefault()}>
      {fields.map((field) => (
        <RequestField key={field.name} {...field} />
      ))}
      <button type="button" disabled={optional.every((name) => requested(name) === "")} onClick={() => clear(optional)}>
        Clear
      </button>
    </form>
  );
}

function RequestField({ problem, ...field }: Field) {
  const id = useId();
  const said = { id, "aria-invalid": problem !== undefined, "aria-describedby": problem && `${id}-problem` };
  return (
    <div class="field">
      <label for={id}>
        {field.label} {field.most !== undefined && <output>{requested(field.name) || field.empty}</output>}
      </label>
      {field.choices === undefined ? <NumberField {...field} said={said} /> : <ChoiceField {...field} said={said} />}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`} role="status">
          {problem}
        </p>
      )}
    </div>
  );
}

type ControlProps = Field & { readonly said: object };

function NumberField({ name, empty, most, said }: ControlProps) {
  const isSlider = most !== undefined;
  return (
    <input
      type={isSlider ? "range" : "number"}
      min={0}
      max={most}
      step={isSlider ? 1 : "any"}
      placeholder={empty}
      value={requested(name) || (isSlider ? empty : "")}
      onInput={({ currentTarget }) => request(name, currentTarget.value)}
      {...said}
    />
  );
}

/** A link can request what is no choice. Then the field shows it, with the problem. */
function ChoiceField({ name, empty, choices = [], said }: ControlProps) {
  const value = requested(name);
  const isListed = value === "" || choices.some((one) => one.value === value);
  return (
    <select value={value} onChange={({ currentTarget }) => request(name, currentTarget.value)} {...said}>
      <option value="">{empty}</option>
      {[...choices, ...(isListed ? [] : [{ value, label: value }])].map((one) => (
        <option value={one.value}>{one.label}</option>
      ))}
    </select>
  );
}

function requested(name: string): string {
  return String(shown.value.view[`with ${name}`] ?? "");
}

/** A request is a step of the history. */
function request(name: string, value: string): void {
  change(`with ${name}`, { view: { ...shown.value.view, [`with ${name}`]: value } });
}

function clear(names: readonly string[]): void {
  const cleared = new Set(names.map((name) => `with ${name}`));
  change("", { view: Object.fromEntries(Object.entries(shown.value.view).filter(([name]) => !cleared.has(name))) });
}
