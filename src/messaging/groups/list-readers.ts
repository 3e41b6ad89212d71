/** Counts the readers of each list of members: a list that no group names is removed once its last reader has ended. */

/** A list that is only just being made has no id to be held by yet: whoever makes one holds all of them. */
export const everyList = 0;

export type ListReaders = ReturnType<typeof listReaders>;

export function listReaders() {
  const readers = new Map<number, number>();
  const freed = new Set<() => void>();

  return {
    /** Keeps the list for as long as `work` takes. */
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

    /** Told whenever a list has no reader any more. */
    onFreed: (tell: () => void): void => void freed.add(tell),
  };
}
