/** Merges sorted runs as they are read: for sorting more than fits into one turn of the event loop. */

interface Head<T> {
  run: ArrayLike<T>;
  /** The position of its run among all. */
  order: number;
  at: number;
  value: T;
}

type Compare<T> = (a: T, b: T) => number;

/** Equal elements come in the order of the runs. */
export function* mergeSorted<T>(runs: readonly ArrayLike<T>[], compare: Compare<T>): Generator<T> {
  const heads: Head<T>[] = [];
  for (const [order, run] of runs.entries()) {
    const value = run[0];
    if (value !== undefined) heads.push({ run, order, at: 0, value });
  }
  for (let parent = (heads.length >> 1) - 1; parent >= 0; parent -= 1) sink(heads, parent, compare);
  for (let head = heads[0]; head !== undefined; head = heads[0]) {
    yield head.value;
    head.at += 1;
    const value = head.run[head.at];
    if (value !== undefined) head.value = value;
    else {
      const last = heads.pop();
      if (last !== undefined && heads.length > 0) heads[0] = last;
    }
    sink(heads, 0, compare);
  }
}

/** Moves an element down to its place in the heap. */
function sink<T>(heads: Head<T>[], from: number, compare: Compare<T>): void {
  const head = heads[from];
  if (head === undefined) return;
  let parent = from;
  for (let child = 2 * parent + 1; child < heads.length; child = 2 * parent + 1) {
    const [left, right] = [heads[child], heads[child + 1]];
    const isRight = left !== undefined && right !== undefined && isBefore(right, left, compare);
    const least = isRight ? right : left;
    if (least === undefined || isBefore(head, least, compare)) break;
    heads[parent] = least;
    parent = isRight ? child + 1 : child;
  }
  heads[parent] = head;
}

function isBefore<T>(a: Head<T>, b: Head<T>, compare: Compare<T>): boolean {
  const order = compare(a.value, b.value);
  return order < 0 || (order === 0 && a.order < b.order);
}
