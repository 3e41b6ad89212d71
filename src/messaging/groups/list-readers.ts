/** Counts the readers of each member list: a list that no group refers to is removed after its last reader. */

/** A list being created has no id yet, so its creator holds all lists. */
export const everyList = 0;

export type ListReaders = ReturnType<typeof listReaders>;

export function listReaders() {
  const readers = new Map<number, number>();
  const freed = new Set<() => void>();

  return {
    /** Keeps the list while `work` runs. */
    async reading<T>(listId: number, work: () => Promise<T>): Promise<T> {
      readers.set(listId, (readers.get(listId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (readers.get(listId) ?? 1) - 1;
        if (left > 0) readers.set(listId, left);
        else {
          readers.delete(listId);
          for (const tell of freed) tell();
        }
      }
    },

    isRead: (listId: number): boolean => readers.has(listId) || readers.has(everyList),

    /** Called whenever a list loses its last reader. */
    onFreed: (tell: () => void): void => void freed.add(tell),
  };
}
