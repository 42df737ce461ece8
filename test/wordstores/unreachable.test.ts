import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { loadDatabaseCode, loadPackage, nodeSqlite } from "../../src/wordstores/driver.js";
import { acceptWord, listProposals, loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { DATABASES, errorOf, newPath, newRecipe, PROPOSED, run, SPEC, SQLITE, TABLES } from "./databases.js";

const options = { recipe: "weapon", spec: SPEC };

describe.concurrent.each(DATABASES.slice(1).map((database) => [database.title, database] as const))(
  "%s",
  (_title, { isMissing, url, kind }) => {
    test.skipIf(isMissing)(
      "is waited for some seconds while another program holds the tables",
      async () => {
        const [address, recipe] = [url(), newRecipe()];
        const name = `'rollmill ${recipe}_type'`;
        const tables = { recipe, spec: SPEC };
        await saveTables(address, TABLES, tables);
        const [lock, sleep] =
          kind === "MariaDB"
            ? [`select get_lock(md5(concat(database(), '.', ${name})), 9)`, "select sleep(8)"]
            : [`select pg_advisory_lock(hashtextextended(${name}, 0))`, "select pg_sleep(8)"];
        const holder = run(address, lock, sleep);
        const { code, message } = await errorOf(
          afterwards(() => proposeWord(address, { ...tables, table: "type", word: "a", proposed: PROPOSED })),
        );
        expect([code, message.includes("database busy")]).toEqual(["sql.busy", true]);
        await holder;
        for (const table of ["element", "type"]) await run(address, `drop table ${recipe}_${table}`);
      },
      30_000,
    );
  },
);

// some wait for seconds
describe.concurrent("where no database is", () => {
  test("a driver that is not installed is named, with the command that installs it", async () => {
    const name = "rollmill-no-such-driver";
    const { code, message } = await errorOf(loadPackage(name, () => import(/* @vite-ignore */ name)));
    expect(code).toBe("sql.connect");
    expect(message).toContain(`npm install ${name}`);
  });

  test.each([
    ["sqlite", nodeSqlite() === undefined ? "kysely better-sqlite3@12" : "kysely"],
    ["postgres", "kysely pg"],
    ["mysql", "kysely mysql2"],
  ] as const)(
    "without kysely, %s says which packages to install: better-sqlite3 only where Node has no node:sqlite",
    async (kind, packages) => {
      const name = "rollmill-no-such-package";
      const { code, message } = await errorOf(loadDatabaseCode(kind, () => import(/* @vite-ignore */ name)));
      expect(code).toBe("sql.connect");
      expect(message).toContain(`npm install ${packages}`);
    },
  );

  test.each(["postgres", "postgresql", "mysql", "mariadb"])(
    "a %s server that is not there is named without its password",
    async (scheme) => {
      const port = await freePort();
      const url = `${scheme}://anna:s3cr%40t@127.0.0.1:${port}/words?password=0therS3cret`;
      const found = await errorOf(loadTables(url, options));
      expect(found.code).toBe("sql.connect");
      expect(found.message).toContain(`${scheme}://anna@127.0.0.1:${port}/words`);
      expect(found.message).toContain("ECONNREFUSED");
      expect(inspect(found, { depth: 9, showHidden: true })).not.toMatch(/s3cr|0therS3cret/);
    },
  );

  test.each([
    "postgres://anna:p@ss/w%rd@host/db",
    "mysql://anna:secret@127.0.0.1:9",
    "redis://anna:secret@host",
    "sqlite::memory:",
    "sqlite:",
  ])("the address %s is refused, without its password", async (url) => {
    const { code, message } = await errorOf(loadTables(url, options));
    expect(code).toBe("sql.connect");
    expect(message).not.toMatch(/secret|p@ss/);
  });

  test.skipIf(SQLITE.isMissing)(`${SQLITE.title}: a file that is not there is not made`, async () => {
    const path = newPath(".sqlite");
    const word = { ...options, table: "type", word: "pike" };
    const uses = [
      () => loadTables(`sqlite:${path}`, options),
      () => proposeWord(path, { ...word, proposed: PROPOSED }),
      () => acceptWord(path, word),
      () => listProposals(path, options),
    ];
    for (const use of uses) {
      const { code, message } = await errorOf(use());
      expect([code, message.includes(path), existsSync(path)]).toEqual(["sql.connect", true, false]);
    }
    const { code } = await errorOf(saveTables(newPath("/no/folder/here.db"), TABLES, options));
    expect(code).toBe("sql.connect");
  });

  test.skipIf(SQLITE.isMissing)(`${SQLITE.title}: a file that is not a database is refused`, async () => {
    const path = newPath(".db");
    writeFileSync(path, "id,word\n1,fire\n".repeat(99));
    for (const found of [loadTables(path, options), saveTables(path, TABLES, options)]) {
      expect((await errorOf(found)).code).toBe("sql.connect");
    }
  });
});

/** Does some work once another connection has had the time to lock. */
async function afterwards<T>(work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return work();
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
