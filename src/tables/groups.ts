/**
 * Returns the groups of rows that jump in circles, the strongly connected components, without recursion. A group comes
 * before the groups that it jumps to.
 *
 * Source: Gabow, Path-based depth-first search for strong and biconnected components, 2000.
 */
export function groupsInOrder(starts: Iterable<number>, jumpsOf: (row: number) => Iterable<number>): number[][] {
  const groups: number[][] = [];
  /** The number of each row that was entered, in order; Infinity as soon as it has a group. */
  const order = new Map<number, number>();
  /** The rows without a group, and of these the first row of each group that is known up to now. */
  const [open, firsts]: [number[], number[]] = [[], []];
  const path: { readonly row: number; readonly next: Iterator<number> }[] = [];
  const numberOf = (row: number) => order.get(row) ?? -1;
  const enter = (row: number) => {
    order.set(row, order.size);
    open.push(row);
    firsts.push(row);
    path.push({ row, next: jumpsOf(row)[Symbol.iterator]() });
  };
  for (const start of starts) {
    if (!order.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { value: next, done } = top.next.next();
      if (done !== true) {
        if (!order.has(next)) enter(next);
        else while (numberOf(firsts[firsts.length - 1]) > numberOf(next)) firsts.pop();
        continue;
      }
      path.pop();
      if (firsts.at(-1) !== top.row) continue;
      firsts.pop();
      const group = open.splice(open.lastIndexOf(top.row));
      for (const member of group) order.set(member, Number.POSITIVE_INFINITY);
      groups.push(group);
    }
  }
  return groups.reverse();
}
