// A transform of the AssemblyScript compiler: writes src/kernel/layout.ts from the exports of assembly/**/layout.ts. So
// every structure, code and size that the kernel and TypeScript share has only one source.
//
//   @unmanaged class   an interface and a layout: its size, the offset of each field, `write` and `read`
//   enum               an object of its values and their type
//   constant           a constant
//
// The offsets come from the compiler. A field that is inserted into a class moves the later fields on both sides.
import { writeFileSync } from "node:fs";
import { ElementKind } from "assemblyscript";
import { Transform } from "assemblyscript/transform";

const OUTPUT = new URL("../src/kernel/layout.ts", import.meta.url);

/** The compiler's ConstantValueKind.Integer: the kind of a constant that it inlines. */
const INTEGER = 1;

/** Maps each type of field to its typed view, and to the shift that turns a byte offset into an index of this view. */
const VIEWS = new Map([
  ["i8", ["i8", 0]],
  ["u8", ["u8", 0]],
  ["bool", ["u8", 0]],
  ["i16", ["i16", 1]],
  ["u16", ["u16", 1]],
  ["i32", ["i32", 2]],
  ["u32", ["u32", 2]],
  ["usize", ["u32", 2]],
]);

export class LayoutTransform extends Transform {
  #module;

  afterCompile(module) {
    this.#module = module;
    const files = [...this.program.filesByName.values()]
      .filter(({ source }) => /^assembly\/(?:.+\/)?layout$/.test(source.normalizedPath.replace(/\.ts$/, "")))
      .sort((a, b) => (a.source.normalizedPath < b.source.normalizedPath ? -1 : 1));
    const parts = files.map((file) => this.#emitFile(file));
    const used = ["Address", "Layout"].filter((name) => parts.some((part) => part.includes(`: ${name}`)));
    const imports = used.length === 0 ? [] : [`import type { ${used.join(", ")} } from "./views.js";\n`];
    const banner = "// Made from assembly/**/layout.ts by scripts/layout-transform.mjs: edit nothing here.\n";
    writeFileSync(OUTPUT, [banner, ...imports, ...parts].join("\n"));
  }

  #emitFile(file) {
    const parts = [...(file.exports ?? new Map())].map(([name, element]) => this.#emit(name, element));
    return [`// ── ${file.source.normalizedPath} ──`, ...parts].join("\n\n").concat("\n");
  }

  #emit(name, element) {
    if (element.kind === ElementKind.ClassPrototype) return this.#emitClass(name, element);
    if (element.kind === ElementKind.Enum) return this.#emitEnum(name, element);
    if (element.kind === ElementKind.Global) return `export const ${name} = ${this.#valueOf(element)};`;
    throw new Error(`${element.internalName}: a layout.ts file exports unmanaged classes, enums and constants only`);
  }

  #emitClass(name, prototype) {
    const instance = this.program.resolver.resolveClass(prototype, null);
    const fields = [...instance.members.values()]
      .filter((member) => member.kind === ElementKind.PropertyPrototype && member.isField)
      .map(({ name: field, instance: property }) => {
        const type = property.type.toString();
        const view = VIEWS.get(type);
        if (view === undefined)
          throw new Error(`${property.internalName}: TypeScript has no view for the type ${type}`);
        return { field, offset: property.memoryOffset, view: view[0], shift: view[1], type };
      });
    const cell = ({ offset, view, shift }, memory) => {
      const address = offset === 0 ? "address" : `(address + ${offset})`;
      return `${memory}.${view}[${address}${shift === 0 ? "" : ` >>> ${shift}`}]`;
    };
    return [
      `export interface ${name} {`,
      ...fields.map(({ field, type }) => `  readonly ${field}: ${type === "usize" ? "Address" : "number"};`),
      "}",
      `export const ${name}: Layout<${name}> = {`,
      `  bytes: ${instance.nextMemoryOffset},`,
      `  offsets: { ${fields.map(({ field, offset }) => `${field}: ${offset}`).join(", ")} },`,
      "  write(to, address, values) {",
      ...fields.map((one) => `    ${cell(one, "to")} = values.${one.field};`),
      "  },",
      "  read(from, address) {",
      "    return {",
      ...fields.map((one) => `      ${one.field}: ${cell(one, "from")}${one.type === "usize" ? " as Address" : ""},`),
      "    };",
      "  },",
      "};",
    ].join("\n");
  }

  #emitEnum(name, element) {
    const values = [...element.members.values()].map((value) => `  ${value.name}: ${this.#valueOf(value)},`);
    return [
      `export const ${name} = {`,
      ...values,
      "} as const;",
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
    ].join("\n");
  }

  /**
   * Returns the value of a constant. The compiler drops constants that the kernel does not use; they have no value
   * here.
   */
  #valueOf(element) {
    if (element.constantValueKind === INTEGER) return String(element.constantIntegerValue);
    const { binaryen } = this;
    const global = this.#module.getGlobal(element.internalName);
    if (global !== 0) {
      const { value } = binaryen.getExpressionInfo(binaryen.getGlobalInfo(global).init);
      return String(element.type.isSignedIntegerValue ? value : value >>> 0);
    }
    throw new Error(`${element.internalName}: the kernel does not use this constant, so the compiler dropped it`);
  }
}
