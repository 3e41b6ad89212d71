/** Ends sessions, for whatever reason, and immediately notifies what depends on them: open streams, notices, forms. */
import type { SessionRow } from "../store/sessions.ts";
import type { Store, Tables } from "../store/store.ts";

/** A session and its user, because all sessions of a user can end at once. */
export interface SessionOfUser {
  userId: number;
  sessionId: number;
}

export interface EndedSession extends SessionOfUser {
  /** False if it was awaiting its second factor. */
  isConfirmed: boolean;
}

/** The same text for the same session of the same user. */
export const sessionKey = ({ userId, sessionId }: SessionOfUser): string => `${userId} ${sessionId}`;

/** Called inside the transaction that removes them. */
export type Removed = (sessions: readonly Pick<SessionRow, "id" | "userId" | "isConfirmed">[]) => void;
/** Passes every session that it removes to `removed`. */
export type SessionChange<T> = (tables: Tables, removed: Removed) => T;
type EndListener = (ended: EndedSession) => void;

export class SessionEnds {
  readonly #store: Pick<Store, "write">;
  readonly #listeners: EndListener[] = [];

  constructor(store: Pick<Store, "write">) {
    this.#store = store;
  }

  /** Registers `listener` of each session that was removed, once that is on disk. */
  subscribe(listener: EndListener): void {
    this.#listeners.push(listener);
  }

  async write<T>(change: SessionChange<T>): Promise<T> {
    let ended: EndedSession[] = [];
    const result = await this.#store.write((tables) => {
      // A change may run twice.
      ended = [];
      return change(tables, (sessions) => {
        for (const { id, userId, isConfirmed } of sessions) ended.push({ userId, sessionId: id, isConfirmed });
      });
    });
    for (const session of ended) for (const listener of this.#listeners) listener(session);
    return result;
  }
}
