import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { DATABASES, errorOf, newRecipe, PROPOSED, run, SPEC, TABLES } from "./databases.js";

// the line "A database that stops answering ends in a typed error within a stated time limit" of the audits
const tables = { recipe: "weapon", spec: SPEC };

/** A server on loopback that hands every connection to `accept`. */
class Listener {
  readonly #sockets: Socket[] = [];
  readonly #server;

  constructor(accept: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.#sockets.push(socket.on("error", () => undefined));
      accept(socket);
    });
  }

  async port(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when the clients have closed all connections. */
  async allClosed(): Promise<void> {
    for (const socket of this.#sockets) if (!socket.closed) await once(socket, "close");
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

const listeners: Listener[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

async function listen(accept: (socket: Socket) => void): Promise<{ readonly listener: Listener; port: number }> {
  const listener = new Listener(accept);
  listeners.push(listener);
  return { listener, port: await listener.port() };
}

describe.each(["postgres", "mysql"])(
  "a %s server that stops answering, once it has accepted a connection",
  (scheme) => {
    test("is a typed error within timeoutMs, and the connection is closed", async () => {
      const { listener, port } = await listen((socket) => socket.resume());
      const url = `${scheme}://anna:s3cret@127.0.0.1:${port}/words`;
      const { code, issues, message } = await errorOf(loadTables(url, { ...tables, timeoutMs: 150 }));
      expect([code, issues[0].where.file]).toEqual(["sql.timeout", `${scheme}://anna@127.0.0.1:${port}/words`]);
      expect(message).toContain("150 ms");
      await listener.allClosed();
    });

    test("is left when the signal aborts", async () => {
      const [abort, reason] = [new AbortController(), new Error("enough")];
      const { listener, port } = await listen(() => abort.abort(reason));
      const loading = loadTables(`${scheme}://a:b@127.0.0.1:${port}/words`, { ...tables, signal: abort.signal });
      await expect(loading).rejects.toBe(reason);
      await listener.allClosed();
    });
  },
);

/** A proxy that stops for good when the client sends a text that matches. It closes the connection or keeps silent. */
function stallingAt(target: URL, text: RegExp, end: "silence" | "close") {
  return (client: Socket) => {
    const server = connect(Number(target.port), target.hostname).on("error", () => undefined);
    let isStalled = false;
    client.on("data", (bytes) => {
      isStalled ||= text.test(bytes.toString("latin1"));
      if (isStalled && end === "close") client.destroy();
      if (!isStalled) server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (!isStalled) client.write(bytes);
    });
    client.on("close", () => server.destroy());
  };
}

describe.each(DATABASES.slice(1).map((database) => [database.title, database] as const))(
  "%s behind a proxy",
  (_title, { isMissing, url }) => {
    /** Saved tables, and the address of a proxy. */
    async function behind(text: RegExp, end: "silence" | "close") {
      const [direct, recipe] = [url(), newRecipe()];
      await saveTables(direct, TABLES, { recipe, spec: SPEC });
      const { port } = await listen(stallingAt(new URL(direct), text, end));
      const proxied = new URL(direct);
      proxied.port = String(port);
      return {
        direct,
        address: String(proxied),
        word: { recipe, spec: SPEC, table: "type", word: "pike", proposed: PROPOSED },
        drop: () => run(direct, ...["element", "type"].map((table) => `drop table ${recipe}_${table}`)),
      };
    }

    // the texts are parts of statements: of the first read, of a row to insert, and of the end of the transaction
    test.skipIf(isMissing).each([/where/, /insert into/, /commit\b/])(
      "that stops answering at %s: a typed error within timeoutMs",
      async (text) => {
        const { direct, address, word, drop } = await behind(text, "silence");
        const { code, message } = await errorOf(proposeWord(address, { ...word, timeoutMs: 1_000 }));
        expect(code).toBe("sql.timeout");
        expect(message.includes("may be stored")).toBe(text.source.startsWith("commit"));
        // nothing keeps the lock of the call that failed
        expect((await proposeWord(direct, word)).row.word).toBe("pike");
        await drop();
      },
    );

    test.skipIf(isMissing)("that stops: the signal ends the call", async () => {
      const { address, word, drop } = await behind(/insert into/, "silence");
      const signal = AbortSignal.timeout(400);
      await expect(proposeWord(address, { ...word, signal })).rejects.toMatchObject({ name: "TimeoutError" });
      await drop();
    });

    test.skipIf(isMissing)("that loses the connection: an error at once", async () => {
      const { address, word, drop } = await behind(/insert into/, "close");
      const { code, message } = await errorOf(proposeWord(address, word));
      expect([code, message.includes("lost")]).toEqual(["sql.connect", true]);
      await drop();
    });
  },
);

test.each([0, -1, 1.5, 2 ** 31, Number.NaN, "9" as never, null as never])(
  "timeoutMs %s is refused",
  async (timeoutMs) => {
    const { code } = await errorOf(loadTables("mysql://a:b@127.0.0.1:9/words", { ...tables, timeoutMs }));
    expect(code).toBe("argument.range");
  },
);

test("a signal that is aborted already ends every call of a database", async () => {
  const signal = AbortSignal.abort();
  const work = [
    loadTables("mysql://a:b@127.0.0.1:9/words", { ...tables, signal }),
    proposeWord("postgres://a:b@127.0.0.1:9/words", {
      ...tables,
      proposed: PROPOSED,
      table: "type",
      word: "pike",
      signal,
    }),
  ];
  for (const call of work) await expect(call).rejects.toBe(signal.reason);
});
