/** Who calls the operator API, and from where. */
import type { SetBy } from "../domain/customer-limits.ts";
import type { Role } from "../domain/roles.ts";

/** The system user running a command, percent-encoded. The socket itself does not reveal who opened it. */
export const callerHeader = "peyk-user";

export interface OperatorCaller {
  actor: string;
  origin: string;
  /** The role of a console user; null for the socket and for Peyk itself, which may do everything. */
  role: Role | null;
  /** The one account that a customer may see and change; null for everyone else. */
  accountId: number | null;
  /** For a signed-in console user; null for everyone else. */
  userId: number | null;
}

/** Who sets what this caller sets. */
export const setterOf = ({ accountId }: OperatorCaller): SetBy => (accountId === null ? "operator" : "customer");

const nameLengthMax = 64;

/** The caller on the socket, by its own account: whoever can open the socket may do everything, including this. */
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
