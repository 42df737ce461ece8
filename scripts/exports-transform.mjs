// A transform of the AssemblyScript compiler: writes src/kernel/exports.ts, the TypeScript interface of everything that
// assembly/index.ts exports. Types follow the declarations in assembly:
//
//   usize                          Address; number for a size, a parameter named `bytes` or `…Bytes`
//   an enum of a layout.ts file    the same enum
//   any other number or a bool     number
//   void                           void
import { writeFileSync } from "node:fs";
import { ElementKind } from "assemblyscript";
import { Transform } from "assemblyscript/transform";

const OUTPUT = new URL("../src/kernel/exports.ts", import.meta.url);
const ENTRY = "assembly/index";
const NUMBERS = new Set(["bool", "i8", "u8", "i16", "u16", "i32", "u32"]);

export class ExportsTransform extends Transform {
  #enums = new Set();

  afterCompile() {
    const files = [...this.program.filesByName.values()];
    this.#enums = new Set(files.flatMap(layoutEnums));
    const entry = files.find((file) => file.source.internalPath === ENTRY);
    const wings = new Map();
    for (const [name, element] of entry.exports) {
      const wing = element.internalName.split("/")[1];
      wings.set(wing, [...(wings.get(wing) ?? []), this.#emitFunction(name, element)]);
    }
    const body = [...wings].map(([wing, lines]) => [`\n  // ${wing}`, ...lines].join("\n")).join("\n");
    const used = [...this.#enums].filter((name) => body.includes(`: ${name}`)).sort();
    const imports = used.length === 0 ? [] : [`import type { ${used.join(", ")} } from "./layout.js";`];
    writeFileSync(
      OUTPUT,
      [
        "// Made from assembly/index.ts by scripts/exports-transform.mjs: edit nothing here.",
        ...imports,
        'import type { Address } from "./views.js";',
        "",
        "/**",
        " * The functions that the kernel exports. They return signed numbers: convert an unsigned number with `>>> 0`.",
        " * A function that creates something returns address 0 if memory runs out.",
        " */",
        "export interface KernelExports extends Record<string, unknown> {",
        "  readonly memory: { readonly buffer: ArrayBuffer };",
        body,
        "}",
        "",
      ].join("\n"),
    );
  }

  #emitFunction(name, element) {
    if (element.kind !== ElementKind.FunctionPrototype) {
      throw new Error(`${element.internalName}: assembly/index.ts exports functions only`);
    }
    const { parameters, returnType } = element.declaration.signature;
    const typed = parameters.map((one) => `${one.name.text}: ${this.#typeOf(element, one.type, one.name.text)}`);
    return `  ${name}(${typed.join(", ")}): ${this.#typeOf(element, returnType, name)};`;
  }

  #typeOf(element, node, name) {
    const type = node.name.identifier.text;
    if (type === "void" || this.#enums.has(type)) return type;
    if (type === "usize") return /(?:^b|B)ytes$/.test(name) ? "number" : "Address";
    if (NUMBERS.has(type)) return "number";
    // a parameter of a record's type is the address of the record
    if (element.file.lookup(type)?.kind === ElementKind.ClassPrototype) return "Address";
    throw new Error(`${element.internalName}: an exported function cannot use the type ${type}`);
  }
}

function layoutEnums(file) {
  if (!/(?:^|\/)layout$/.test(file.source.internalPath)) return [];
  return [...(file.exports ?? [])].filter(([, one]) => one.kind === ElementKind.Enum).map(([name]) => name);
}
