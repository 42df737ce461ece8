// Makes a kernel without SIMD of a kernel with SIMD. A vector becomes two halves, each a u64. An instruction on vectors
// becomes calls of the function of its name in assembly/scalar/halves.ts, one for each half of its result. First, the
// optimiser flattens the kernel: every operand is then a local or a constant, so that a half of it can be read as often as
// it is needed. At the end, it puts the calls inline and removes the locals again.
import binaryen from "assemblyscript/binaryen";

const { i64, v128, ExpressionIds: Ids } = binaryen;
const { MutableGlobals, SignExt, BulkMemory, BulkMemoryOpt } = binaryen.Features;

/** The statements that can contain vectors, or other statements. */
const STATEMENTS = new Set([Ids.Block, Ids.Loop, Ids.If, Ids.LocalSet, Ids.Store, Ids.SIMDLoadStoreLane, Ids.Drop]);
/** The numbers of the halves. */
const [LOW, HIGH] = [0, 1];

/** Whether a function is one of assembly/scalar/halves.ts, by its name. */
export function isHalf(name) {
  return /^(?:v128|i\d+x\d+)_/.test(name);
}

/** @param wasm - a kernel that exports its own functions and those of assembly/scalar/halves.ts */
export function scalarKernel(wasm) {
  const module = binaryen.readBinary(wasm);
  module.setFeatures(binaryen.Features.All);
  module.runPasses(["flatten"]);
  const exports = Array.from({ length: module.getNumExports() }, (_, i) => module.getExportByIndex(i));
  const named = exports.map(binaryen.getExportInfo).filter(({ name }) => isHalf(name));
  const halves = new Map(named.map(({ name, value }) => [name, value]));
  const functions = Array.from({ length: module.getNumFunctions() }, (_, i) => module.getFunctionByIndex(i));
  for (const info of functions.map(binaryen.getFunctionInfo)) lower(module, halves, info);
  for (const name of halves.keys()) module.removeExport(name);
  module.setFeatures(MutableGlobals | SignExt | BulkMemory | BulkMemoryOpt);
  setOptions();
  module.optimize();
  if (!module.validate()) throw new Error("the kernel without SIMD is not valid");
  const scalar = module.emitBinary();
  module.dispose();
  return scalar;
}

/** With the limits of the compiler's own build, the kernel is up to a quarter larger, and at most a tenth faster. */
function setOptions() {
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(2);
  binaryen.setFlexibleInlineMaxSize(20);
  binaryen.setOneCallerInlineMaxSize(0);
}

/** Replaces the vectors of a function. */
function lower(module, functions, { name, params, results, vars, body }) {
  const given = binaryen.expandType(params);
  const types = [...given, ...vars];
  /** The local of the upper half of each vector. The lower half takes the local of the vector. */
  const uppers = new Map();
  for (const [local, type] of types.entries()) if (type === v128) uppers.set(local, types.length + uppers.size);
  if (uppers.size === 0) return;
  const spare = types.length + uppers.size;
  const locals = vars.map((type) => (type === v128 ? i64 : type));
  const lowered = statement(body);
  module.removeFunction(name);
  module.addFunction(name, params, results, [...locals, ...Array(uppers.size + 1).fill(i64)], lowered);

  function statement(expression) {
    if (!STATEMENTS.has(binaryen.getExpressionId(expression))) return expression;
    const info = binaryen.getExpressionInfo(expression);
    switch (info.id) {
      case Ids.Block:
        for (const [i, child] of info.children.entries()) binaryen.Block.setChildAt(expression, i, statement(child));
        return expression;
      case Ids.Loop:
        binaryen.Loop.setBody(expression, statement(info.body));
        return expression;
      case Ids.If:
        binaryen.If.setIfTrue(expression, statement(info.ifTrue));
        if (info.ifFalse !== 0) binaryen.If.setIfFalse(expression, statement(info.ifFalse));
        return expression;
      case Ids.LocalSet: {
        if (!isVector(info.value)) {
          binaryen.LocalSet.setValue(expression, number(info.value));
          return expression;
        }
        const [low, high] = vector(info.value);
        // the upper half can depend on the lower half of the vector that it is assigned to
        return module.block(null, [
          module.local.set(spare, low),
          module.local.set(uppers.get(info.index), high),
          module.local.set(info.index, module.local.get(spare, i64)),
        ]);
      }
      case Ids.Store:
        if (!isVector(info.value)) return expression;
        return module.block(
          null,
          both((h) => module.i64.store(info.offset + 8 * h, align(info), copy(info.ptr), half(info.value, h))),
        );
      case Ids.SIMDLoadStoreLane:
        if (nameOf(expression) !== "v128.store64_lane") return unknown(expression);
        return module.i64.store(info.offset, info.align, copy(info.ptr), half(info.vec, info.index));
      default:
        return isVector(info.value) ? module.nop() : expression;
    }
  }

  /** A number. It can be made of a vector. */
  function number(expression) {
    const id = binaryen.getExpressionId(expression);
    if (id === Ids.SIMDExtract) {
      const { vec, index } = binaryen.getExpressionInfo(expression);
      if (nameOf(expression) !== "i32x4.extract_lane") return unknown(expression);
      return module.i32.wrap(module.i64.shr_u(half(vec, index >> 1), constant(32 * (index & 1))));
    }
    if (id !== Ids.Unary) return expression;
    const { value } = binaryen.getExpressionInfo(expression);
    if (!isVector(value)) return expression;
    const [type, name] = nameOf(expression).split(".");
    if (name === "any_true") return module.i64.ne(module.i64.or(...both((h) => half(value, h))), constant(0));
    const [low, high] = both((h) => call(expression, [half(value, h)]));
    if (name === "all_true") return module.i32.and(low, high);
    if (name !== "bitmask") return unknown(expression);
    return module.i32.or(low, module.i32.shl(high, module.i32.const(type.split("x")[1] / 2)));
  }

  /** Both halves of a vector. */
  function vector(expression) {
    const info = binaryen.getExpressionInfo(expression);
    switch (info.id) {
      case Ids.LocalGet:
      case Ids.Const:
        return both((h) => half(expression, h));
      case Ids.Load:
        return both((h) => module.i64.load(info.offset + 8 * h, align(info), copy(info.ptr)));
      case Ids.SIMDLoad:
        return load(expression, info);
      case Ids.SIMDLoadStoreLane:
        return replaceLane(expression, info);
      case Ids.SIMDShuffle:
        return both((h) => shuffle([info.left, info.right], info.mask.slice(8 * h, 8 * h + 8)));
      case Ids.Select:
        return both((h) => module.select(copy(info.condition), half(info.ifTrue, h), half(info.ifFalse, h)));
      case Ids.Unary:
        return operation(expression, [info.value]);
      case Ids.Binary:
        return operation(expression, [info.left, info.right]);
      case Ids.SIMDShift:
        return operation(expression, [info.vec, info.shift]);
      case Ids.SIMDTernary:
        return operation(expression, [info.a, info.b, info.c]);
      default:
        return unknown(expression);
    }
  }

  function operation(expression, operands) {
    const name = nameOf(expression);
    // each half of the result is made of a whole operand
    if (name.includes(".narrow"))
      return operands.map((one) =>
        call(
          expression,
          both((h) => half(one, h)),
        ),
      );
    if (name === "i8x16.swizzle") {
      const [bytes, indices] = operands;
      return both((h) => call(expression, [...both((of) => half(bytes, of)), half(indices, h)]));
    }
    // each half of the result is made of 32 bits of an operand
    const part = ["_low", "_high"].findIndex((text) => name.includes(text));
    if (part >= 0) {
      const words = (h) => operands.map((one) => module.i64.shr_u(half(one, part), constant(32 * h)));
      return both((h) => call(expression, words(h)));
    }
    return both((h) =>
      call(
        expression,
        operands.map((one) => half(one, h)),
      ),
    );
  }

  function load(expression, { offset, align, ptr }) {
    const { i32: word, i64: long } = module;
    switch (nameOf(expression)) {
      case "v128.load8x8_s":
        return both((h) =>
          callOf("i16x8.extend_i8x16_s", [long.load32_u(offset + 4 * h, Math.min(align, 4), copy(ptr))]),
        );
      case "v128.load16_splat":
        return both(() => callOf("i16x8.splat", [word.load16_u(offset, align, copy(ptr))]));
      // not i32.load: the optimiser would extend it to 64 bits with its sign
      case "v128.load32_splat":
        return both(() => callOf("i32x4.splat", [word.wrap(long.load32_u(offset, align, copy(ptr)))]));
      case "v128.load32_zero":
        return [long.load32_u(offset, align, copy(ptr)), constant(0)];
      case "v128.load64_zero":
        return [long.load(offset, align, copy(ptr)), constant(0)];
      default:
        return unknown(expression);
    }
  }

  function replaceLane(expression, { offset, align, ptr, vec, index }) {
    if (nameOf(expression) !== "v128.load32_lane") return unknown(expression);
    const shift = 32 * (index & 1);
    const rest = module.i64.and(half(vec, index >> 1), constant(0xffffffffn << BigInt(32 - shift)));
    const lane = module.i64.shl(module.i64.load32_u(offset, align, copy(ptr)), constant(shift));
    return both((h) => (h === index >> 1 ? module.i64.or(rest, lane) : half(vec, h)));
  }

  /** Eight bytes of two vectors: what moves by the same distance out of the same half is one term. */
  function shuffle(vectors, bytes) {
    const masks = new Map();
    for (const [to, from] of bytes.entries()) {
      const key = `${from >> 3} ${(from & 7) - to}`;
      masks.set(key, (masks.get(key) ?? 0n) | (0xffn << BigInt(8 * to)));
    }
    const terms = Array.from(masks, ([key, mask]) => {
      const [place, distance] = key.split(" ").map(Number);
      const shift = distance < 0 ? module.i64.shl : module.i64.shr_u;
      const moved = shift(half(vectors[place >> 1], place & 1), constant(8 * Math.abs(distance)));
      return module.i64.and(moved, constant(mask));
    });
    return terms.reduce((a, b) => module.i64.or(a, b));
  }

  /** A half of an operand. An operand that is a number belongs to both halves. */
  function half(operand, h) {
    if (!isVector(operand)) return copy(operand);
    const { id, index, value } = binaryen.getExpressionInfo(operand);
    if (id === Ids.LocalGet) return module.local.get(h === LOW ? index : uppers.get(index), i64);
    if (id !== Ids.Const) return unknown(operand);
    return constant(new DataView(Uint8Array.from(value).buffer).getBigUint64(8 * h, true));
  }

  function call(expression, operands) {
    return callOf(nameOf(expression).replace(/_low|_high/, ""), operands);
  }

  function callOf(name, operands) {
    const target = functions.get(name.replace(".", "_"));
    if (target === undefined) throw new Error(`${name} has no function in assembly/scalar/halves.ts`);
    return module.call(target, operands, binaryen.getFunctionInfo(module.getFunction(target)).results);
  }

  function constant(bits) {
    return module.i64.const(BigInt.asIntN(64, BigInt(bits)));
  }

  function copy(expression) {
    return module.copyExpression(expression);
  }
}

function both(make) {
  return [make(LOW), make(HIGH)];
}

/** The alignment of a half of a vector in memory. */
function align(vectorAccess) {
  return Math.min(vectorAccess.align, 8);
}

function isVector(expression) {
  return binaryen.getExpressionType(expression) === v128;
}

/** The name of an instruction, such as i32x4.add. */
function nameOf(expression) {
  return /^\(([\w.]+)/.exec(binaryen.emitText(expression))[1];
}

function unknown(expression) {
  throw new Error(`scripts/scalar-kernel.mjs does not know ${nameOf(expression)}: add it there`);
}
