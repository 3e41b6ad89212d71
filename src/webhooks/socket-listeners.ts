/** Listens to a socket for one owner's while, and takes away exactly what it added: the stream's own listeners stay. */
import type { TLSSocket } from "node:tls";

export interface SocketListeners {
  data?: (bytes: Uint8Array) => void;
  /** The peer closed its side, or the whole connection is gone. */
  end?: () => void;
  error?: (error: Error) => void;
  secureConnect?: () => void;
}

const ignore = () => undefined;

/** Returns what ends the listening. */
export function listen(socket: TLSSocket, listeners: SocketListeners): () => void {
  const { data, end = ignore, error = ignore, secureConnect = ignore } = listeners;
  if (data !== undefined) socket.on("data", data);
  socket.on("end", end);
  socket.on("close", end);
  socket.on("error", error);
  socket.on("secureConnect", secureConnect);
  return () => {
    if (data !== undefined) socket.off("data", data);
    socket.off("end", end);
    socket.off("close", end);
    socket.off("error", error);
    socket.off("secureConnect", secureConnect);
  };
}

/** Ends a connection that nobody wants any more; what it has to say about that is of no interest. */
export function abandon(socket: TLSSocket): void {
  socket.on("error", ignore);
  socket.destroy();
}
