import type { Pool } from "../../pools/pool.js";
import type { Tracer } from "./tracer.js";

export function traceDraw(pool: Pool, tracer: Tracer, index: number) {
  const { records, kind } = pool;
  const weights = pool.weights();
  const entries = records.map(({ id: name }, i) => ({ name, weight: Number(weights[i]) }));
  const isRefreshed = kind === "finite" && pool.total === 0;
  const asked = { what: `record of ${pool.path}${isRefreshed ? ", refilled" : ""}`, plane: 0, index };
  return records[kind === "finite" ? tracer.pick(asked, entries) : tracer.alias(asked, entries)].id;
}
