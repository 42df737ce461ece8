// biome-ignore-all format: forty lines check a receipt, as docs/determinism.md says: node check-receipt.mjs FILE [SPEC]
import { createHash } from "node:crypto"; import { readFileSync } from "node:fs"; import { argv } from "node:process";

const [M, P, Q, V, W, A, B] = [2n ** 32n, 0xd2511f53n, 0xcd9e8d57n, 0x9e3779b9n, 0xbb67ae85n, 0x5851f42dn, 0x4c957f2dn];
const hash = (text) => createHash("sha256").update(text).digest("hex"), rotl = (x, n) => (x << n) | (x >>> (32 - n));
const same = (what, a, b) => { if (String(a) !== String(b)) throw new Error(`wrong ${what}: ${a} in place of ${b}`); };
const philox = ([k, l], words, n = 10, [a, b, c, d] = words.map(BigInt)) => n === 0 ? words :
  philox([(k + V) % M, (l + W) % M], [((Q * c) / M) ^ b ^ k, (Q * c) % M, ((P * a) / M) ^ d ^ l, (P * a) % M], n - 1);
const fold = ([k, l], bytes, tag, i = 0, x = Buffer.concat([bytes, Buffer.alloc(16)]).readBigUInt64LE(8 * i)) =>
  i > 0 && 8 * i >= bytes.length ? [k, l] : fold(philox([k ^ A, l ^ B], [x % M, x / M, i, tag]), bytes, tag, i + 1);
const named = (key, text, tag = 0) => fold(key, Buffer.from(text), tag + Buffer.byteLength(text));
const fork = (k, id) => typeof id === "string" ? named(k, id, 2 ** 30) : fold(k, Buffer.from((id.length ? new Int32Array
  (id) : BigInt64Array.of(BigInt(Object.values(id)[0] ?? id))).buffer), 2 ** 31 + (id.starts ? 3 : id.length ?? 1));
function seedKey(seed, u = Buffer.from(`${Buffer.byteLength(seed)}:${seed}`), K = [], S = [...Array(256).keys()]) {
  for (let n = 0, smear = 0; n < u.length; n++) { smear ^= 19 * (K[n % 256] ?? 0); K[n % 256] = (smear + u[n]) % 256; }
  let j = 0; const out = Array.from({ length: 520 }, (_, n, i = n < 256 ? n : (n + 1) % 256) => {
    j = ((n === 256 ? 0 : j) + S[i] + (n < 256 ? K[n % K.length] : 0)) % 256;
    [S[i], S[j]] = [S[j], S[i]]; return S[(S[i] + S[j]) % 256]; });
  return named([512, 516].map((at) => BigInt(Buffer.from(out).readUInt32BE(at))), seed); }
const four = (key, a, b, plane) => philox(key, [a, b, plane % 2 ** 32, Math.floor(plane / 2 ** 32)]).map(Number);
const output = ([a, b, c, d], n) => n < 4 ? BigInt((rotl(a + d, 7) + a) >>> 0)
  : output([a ^ b ^ d, a ^ b ^ c, a ^ c ^ (b << 9), rotl(b ^ d, 11)], n - 4);
function aliasPick(w, weights, T, uniform, N = 2 ** Math.ceil(Math.log2(weights.length)), low = M / BigInt(N)) {
  const [s, to] = [Array.from({ length: N }, (_, i) => BigInt(N * (weights[i]?.weight ?? 0))), [...Array(N).keys()]];
  const [t, small, large] = [s.map(() => T), to.filter((i) => s[i] < T), to.filter((i) => s[i] >= T)];
  for (let i, j; small.length > 0 && large.length > 0; s[j] < T && small.push(large.pop())) {
    [i, j] = [small.pop(), large.at(-1)]; [t[i], to[i], s[j]] = [s[i], j, s[j] + s[i] - T]; }
  const [c, f, q] = [w / low, w % low, (t[w / low] * low) / T], value = f === q ? uniform() : undefined;
  return [f < q || value < (t[c] * low) % T ? c : to[c], value, N, c, f, q, to[c]]; }
export function check({ digest, ...content }, spec, { seed, millForks, explanation: e } = content) {
  same("digest", digest, hash(JSON.stringify(content))); if (spec !== undefined) same("spec", content.spec, hash(spec));
  const key = e.forks.reduce(fork, named(millForks.reduce(fork, seedKey(seed)), e.name));
  for (const { forks = [], plane, index, m, weights = [{ weight: m, sum: m }], alias, ...d } of e.decisions) {
    const [own, T, used, high] = [forks.reduce(fork, key), BigInt(m), [], 4 + 2 ** 16 * Math.floor(index / 2 ** 32)];
    const s = d.skipped + 1 || 0, extra = (i) => four(own, high + (i >> 2), index % 2 ** 32, plane)[i % 4];
    const uniform = (x = BigInt(used[used.push(extra(used.length + s)) - 1]) * T) => x % M < M % T ? uniform() : x / M;
    const w = s ? BigInt(extra(s - 1)) : output(four(own, index % 4, Math.floor(index / 1024), plane), index % 1024);
    const v = alias ? 0n : (w * T + ((w * T) % M + T <= M ? 0n : uniform())) / M;
    const found = alias ? aliasPick(w, weights, T, uniform) : [weights.findIndex(({ sum }) => sum > v), v];
    same("sum", [0, ...weights.map(({ sum }) => sum)], [...weights.map(({ sum, weight }) => sum - weight), m]);
    same("decision", [d.word, d.extra, d.choice ?? 0, d.value, ...Object.values(alias ?? {})], [w, used, ...found]); } }
if (argv[1] === import.meta.filename) check(JSON.parse(readFileSync(argv[2])), argv[3] && readFileSync(argv[3]));
