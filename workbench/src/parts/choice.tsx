interface ChoiceProps {
  readonly label: string;
  /** The texts to choose from. Without any, the page shows nothing. */
  readonly of: readonly (string | number)[];
  readonly name?: string;
  /** Stands before the texts, and has an empty value. */
  readonly first?: string;
  readonly value?: string | number;
  readonly choose?: (text: string) => void;
}

export function Choice({ label, of, name, first, value, choose }: ChoiceProps) {
  if (of.length === 0) return null;
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={({ currentTarget }) => choose?.(currentTarget.value)}>
        {first !== undefined && <option value="">{first}</option>}
        {of.map((text) => (
          <option>{text}</option>
        ))}
      </select>
    </label>
  );
}
