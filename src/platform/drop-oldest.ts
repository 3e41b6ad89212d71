/** Bounds what is remembered: a map or a set keeps the order in which its entries came. */
export function dropOldest<Key>(remembered: Map<Key, unknown> | Set<Key>, sizeMax: number): void {
  if (remembered.size <= sizeMax) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    if (remembered.size <= sizeMax) return;
  }
}
