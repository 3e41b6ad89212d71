/** Who calls the operator API, and from where. */
import type { Role } from "../domain/roles.ts";

/** Names the system user of a command, percent-encoded. The socket itself does not tell who opened it. */
export const callerHeader = "peyk-user";

export interface OperatorCaller {
  actor: string;
  origin: string;
  /** Of a user of the console; null for the socket and for Peyk itself, who may do everything. */
  role: Role | null;
  /** The one account that a customer may see and change; null for everybody else. */
  accountId: number | null;
  /** Of the console's user who has signed in; null for everybody else. */
  userId: number | null;
}

const nameLengthMax = 64;

/** The caller over the socket, as it says itself: who may open the socket may do everything, this too. */
export function socketCaller(headers: Headers): OperatorCaller {
  const name = decoded(headers.get(callerHeader) ?? "").replace(/\p{Cc}/gu, "");
  const actor = name === "" ? "unknown" : name.slice(0, nameLengthMax);
  return { actor, origin: "socket", role: null, accountId: null, userId: null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
