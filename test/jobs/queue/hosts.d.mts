export function canMakeHosts(): boolean;

export class Host {
  constructor(n: number);
  readonly server: string;
  readonly inside: readonly string[];
  cut(): void;
  mend(): void;
  remove(): void;
}
