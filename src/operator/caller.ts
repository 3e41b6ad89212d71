/** Who calls the operator API, and from where. */

/** Names the system user of a command, percent-encoded. The socket itself does not tell who opened it. */
export const callerHeader = "peyk-user";

export interface OperatorCaller {
  actor: string;
  origin: string;
  /** The one account that a customer may see and change; null for whoever may do everything. */
  accountId: number | null;
  /** Of the console's user who has signed in; null for everybody else. */
  userId: number | null;
}

const nameLengthMax = 64;

/** Requests that the console makes in this process. One that came over the socket is never among them, whatever its headers say. */
const signedInCallers = new WeakMap<Request, OperatorCaller>();

/** `request` is made for `caller`, whom the console has signed in. */
export function callAs(caller: OperatorCaller, request: Request): Request {
  signedInCallers.set(request, caller);
  return request;
}

export function callerOf(request: Request): OperatorCaller {
  return signedInCallers.get(request) ?? socketCaller(request.headers);
}

/** The caller over the socket, as it says itself: who may open the socket may do everything, this too. */
function socketCaller(headers: Headers): OperatorCaller {
  const name = decoded(headers.get(callerHeader) ?? "").replace(/\p{Cc}/gu, "");
  const actor = name === "" ? "unknown" : name.slice(0, nameLengthMax);
  return { actor, origin: "socket", accountId: null, userId: null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
