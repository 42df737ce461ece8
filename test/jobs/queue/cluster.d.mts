export const BIN: string;
export function hasProgram(name: string): boolean;

export class Redis {
  constructor(bind?: string);
  readonly url: string;
  urlFrom(address: string): string;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** How a worker is started. */
export interface WorkerSettings {
  readonly address: readonly string[];
  readonly root: string;
  readonly threads?: number;
  readonly lostAfter?: number;
  readonly inside?: readonly string[];
  readonly more?: readonly string[];
  readonly bin?: string;
}

export function otherBuild(pattern: RegExp, other: string): { readonly bin: string; readonly remove: () => void };

export class WorkerProcess {
  constructor(settings: WorkerSettings);
  readonly lines: readonly string[];
  line(pattern: RegExp, n?: number): Promise<string | undefined>;
  ready(): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export function rollmill(...words: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;

export class Shared {
  readonly root: string;
  spec(name: string, job: object): string;
  digest(name: string): string;
  remove(): void;
}

export function killWhile(
  done: Promise<unknown>,
  settings: {
    readonly kills: number;
    readonly workers: number;
    readonly settings: WorkerSettings;
    readonly random: () => number;
    readonly onKill?: (n: number) => Promise<void>;
  },
): Promise<number>;
