import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vite";
import { folder as readers } from "../readers/folder.js";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The folder that a reader of the guide makes: the blocks that have a file name, and the packages that they import. */
export class PageFolder {
  readonly path = mkdtempSync(join(tmpdir(), "rollmill-page-"));
  /** The files, in the order of the pages. */
  readonly names: readonly string[];
  readonly vite: InlineConfig = {
    root: this.path,
    logLevel: "error",
    server: { port: 0, fs: { strict: false } },
    preview: { port: 0 },
  };

  /** The packages are those beside DuckDB. */
  constructor(pages: readonly string[], packages: readonly string[] = []) {
    const text = pages.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
    const files = [...text.matchAll(/^```(?:js|json|html) ([\w-]+\.[\w.]+)\n(.*?)^```$/gms)];
    this.names = files.map(([, name]) => name);
    for (const [, name, content] of files) writeFileSync(this.at(name), content);
    const sources = new Map(packages.map((name) => [name, join(readers ?? "", "node_modules", name)]));
    for (const [name, source] of sources.set("rollmill", ROOT)) {
      const link = this.at(`node_modules/${name}`);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(source, link);
    }
  }

  at(name: string): string {
    return join(this.path, name);
  }

  read(name: string): string {
    return readFileSync(this.at(name), "utf8");
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
