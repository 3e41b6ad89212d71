/** The operator API's Unix socket. Its file mode is its authentication: whoever can open it may do everything. */
import { lstatSync, unlinkSync } from "node:fs";

/** Another process is serving at the socket's path, or the path is not a socket. */
export class SocketTaken extends Error {
  override readonly name = "SocketTaken";
}

export interface OperatorSocket {
  path: string;
  /** Answers the requests in flight, then removes the file. */
  stop(): Promise<void>;
}

/**
 * An import file with twenty million numbers has 280 MB; Bun's default limit is 128 MiB. Such a body is read as it
 * arrives.
 */
const importBytesMax = 1024 ** 3;

/**
 * Serves on the socket at `path` with mode 0600. The socket of a process that died is replaced.
 * @throws SocketTaken when another process answers there, or when the file is no socket.
 */
export async function serveSocket(
  path: string,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<OperatorSocket> {
  await removeStale(path);
  // Not chmod: the mode must be right from the start.
  const umaskBefore = process.umask(0o177);
  try {
    // By default Bun closes a connection after 10 s without data; `route test` waits longer for an unresponsive peer.
    const server = Bun.serve({ unix: path, idleTimeout: 0, maxRequestBodySize: importBytesMax, fetch: answer });
    return { path, stop: () => server.stop() };
  } finally {
    process.umask(umaskBefore);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new SocketTaken(`${path} exists and is not a socket. Move it away, or choose another path.`);
  if (await isAnswered(path)) throw new SocketTaken(`Another peyk process serves on ${path}. Stop it first.`);
  unlinkSync(path);
}

/** A dead process's socket accepts no connection. */
async function isAnswered(path: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: path, socket: { data: () => {} } });
    connection.end();
    return true;
  } catch {
    return false;
  }
}
