import { setImmediate as turn } from "node:timers/promises";
import type { CellRectangle } from "../../walks/rectangles.js";
import type { ExportName } from "../types.js";
import type { WriteOptions } from "./source.js";

/** What an export is made of. A piece depends on the job and the options alone, so any thread can make it. */
export interface Pieces<Piece> {
  readonly count: number;
  /** Makes piece k, which must be a value that can be sent to another thread. */
  readonly make: (k: number) => Piece | Promise<Piece>;
  /** Frees what the first call of `make` opened. */
  readonly close?: () => void;
}

/** Makes all pieces, and yields them in order. */
export type MakePieces = <Piece>(pieces: Pieces<Piece>) => AsyncGenerator<Piece, void>;

/** An export whose pieces a thread makes. `name` is its name in messages. */
export interface ExportPart {
  readonly kind: "export";
  readonly name: string;
  readonly export: ExportName;
  /** The file or folder to write. */
  readonly to: string;
  readonly window: CellRectangle;
  readonly options: Omit<WriteOptions, "signal" | "onProgress">;
}

interface PieceRunner {
  readonly threads: number;
  piece(part: ExportPart, k: number, signal: AbortSignal): Promise<unknown>;
}

/** So many pieces for each thread are made, or wait to be written. */
const AHEAD = 2;

/** Makes pieces in the calling thread. */
export async function* madeHere<Piece>({ count, make, close }: Pieces<Piece>): AsyncGenerator<Piece, void> {
  try {
    for (let k = 0; k < count; k++) {
      yield make(k);
      // so that a signal can arrive
      await turn();
    }
  } finally {
    close?.();
  }
}

/** Returns a function that lets threads make the pieces of `part`. */
export function madeIn(runner: PieceRunner, part: ExportPart, signal: AbortSignal | undefined): MakePieces {
  return async function* <Piece>({ count }: Pieces<Piece>) {
    const stop = new AbortController();
    const call = { signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]) };
    const begun: Promise<unknown>[] = [];
    try {
      for (let k = 0, next = 0; k < count; k++) {
        for (; next < Math.min(count, k + AHEAD * runner.threads); next++) {
          const piece = runner.piece(part, next, call.signal);
          // only avoids an unhandled rejection: the error is thrown when the piece is wanted
          piece.catch(() => undefined);
          begun.push(piece);
        }
        // the cast is safe: the thread makes the piece with the same code
        yield (await begun.shift()) as Piece;
      }
    } finally {
      stop.abort();
    }
  };
}
