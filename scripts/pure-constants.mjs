// A plugin of rolldown. No file of src does anything when it loads but compute its constants, as `sideEffects` of
// package.json says. But a chunk of dist holds many files, and a bundler that takes one of them cannot know which
// statements it may leave out. So this plugin marks the computed constants of each chunk.

/** @returns the plugin. */
export function pureConstants() {
  return {
    name: "pure-constants",
    generateBundle(_, files) {
      for (const file of Object.values(files)) if (file.type === "chunk") file.code = marked(this, file.code);
    },
  };
}

function marked(context, code) {
  let text = "";
  let at = 0;
  for (const { start, end } of context.parse(code).body.flatMap(valuesOf).filter(isComputed)) {
    text += `${code.slice(at, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()`;
    at = end;
  }
  return text + code.slice(at);
}

/** The values of the constants that a statement declares. */
function valuesOf(statement) {
  const { type, declarations } = statement.declaration ?? statement;
  return type === "VariableDeclaration"
    ? declarations.flatMap(({ id, init }) => (id.type === "Identifier" ? [init] : []))
    : [];
}

const COMPUTING = ["CallExpression", "NewExpression", "MemberExpression", "SpreadElement", "TaggedTemplateExpression"];

/** Whether a bundler could think that the computation does something else too. */
function isComputed(node) {
  if (Array.isArray(node)) return node.some(isComputed);
  if (node === null || typeof node !== "object" || /Function|Class/.test(node.type)) return false;
  return COMPUTING.includes(node.type) || Object.values(node).some(isComputed);
}
