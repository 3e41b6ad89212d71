/** Ports for programs that cannot choose one themselves. */
import { createServer } from "node:net";

/** Distinct ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return address === null || typeof address === "string" ? 0 : address.port;
  });
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  return ports;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
