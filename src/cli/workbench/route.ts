// What the server of the workbench answers, besides the files of the page.

import type { IncomingMessage, ServerResponse } from "node:http";

export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  /** A path that ends with a slash is that of a folder: `run` gets the steps below it. */
  readonly path: string;
  run(request: IncomingMessage, response: ServerResponse, steps: readonly string[]): Promise<void> | void;
}

/** What a page is served with: the files of a folder, or the words of a recipe. */
export interface Served {
  readonly kind: "files" | "words";
  readonly routes: readonly Route[];
  /** Returns the seconds that a client has to wait, because it asks too often; 0 if it may ask. */
  wait(request: IncomingMessage): number;
  close(): void;
}

export function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
}

export function endJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
}

/** The pages that hear of each change, as server-sent events. */
export class Followers {
  readonly #pages = new Map<ServerResponse, string>();

  get size(): number {
    return this.#pages.size;
  }

  sizeOf(client: string): number {
    return [...this.#pages.values()].filter((one) => one === client).length;
  }

  add(response: ServerResponse, client = ""): void {
    // nginx would keep the events back
    const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
    response.writeHead(200, headers);
    response.write(": changes\n\n");
    this.#pages.set(response, client);
    response.on("close", () => this.#pages.delete(response));
  }

  tell(event: unknown): void {
    for (const response of this.#pages.keys()) response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}
