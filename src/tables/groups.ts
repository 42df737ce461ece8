/**
 * Returns the groups of rows that jump in circles, Tarjan's strongly connected components, without recursion. A group
 * comes before the groups that it jumps to.
 */
export function groupsInOrder(starts: Iterable<number>, jumpsOf: (row: number) => Iterable<number>): number[][] {
  const groups: number[][] = [];
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const open = new Set<number>();
  const path: { row: number; next: Iterator<number> }[] = [];
  const lower = (row: number, value: number) => low.set(row, Math.min(low.get(row) ?? value, value));
  const enter = (row: number) => {
    order.set(row, order.size);
    lower(row, order.size - 1);
    stack.push(row);
    open.add(row);
    path.push({ row, next: jumpsOf(row)[Symbol.iterator]() });
  };
  const waiting = [...starts].reverse();
  const nextStart = () => {
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      if (order.has(row)) continue;
      enter(row);
      return path.at(-1);
    }
    return undefined;
  };
  for (let top = nextStart(); top !== undefined; top = path.at(-1) ?? nextStart()) {
    const { row } = top;
    const { value: next, done } = top.next.next();
    if (done !== true) {
      if (!order.has(next)) enter(next);
      else if (open.has(next)) lower(row, order.get(next) ?? 0);
      continue;
    }
    path.pop();
    const above = path.at(-1);
    if (above !== undefined) lower(above.row, low.get(row) ?? 0);
    if (low.get(row) !== order.get(row)) continue;
    const group = stack.splice(stack.lastIndexOf(row));
    for (const member of group) open.delete(member);
    groups.push(group);
  }
  return groups.reverse();
}
