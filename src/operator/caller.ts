/** Who calls the operator API, and from where. */

/** Names the system user of a command, percent-encoded. The socket itself does not tell who opened it. */
export const callerHeader = "peyk-user";

export interface OperatorCaller {
  actor: string;
  origin: string;
}

const nameLengthMax = 64;

/** The caller over the socket, as it says itself: who may open the socket may do everything, this too. */
export function socketCaller(headers: Headers): OperatorCaller {
  const name = decoded(headers.get(callerHeader) ?? "").replace(/\p{Cc}/gu, "");
  return { actor: name === "" ? "unknown" : name.slice(0, nameLengthMax), origin: "socket" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
