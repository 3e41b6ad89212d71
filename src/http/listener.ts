/** Opens the public listener: Bun's limits set so that the answers to bad requests are ours. */
import type { PublicApi } from "./api.ts";

export interface PublicListener {
  hostname: string;
  port: number;
  /** Takes no new request, resolves when those in flight are answered, and closes. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  tls?: { cert: string; key: string };
}

/** Longer than a body may take to arrive (`bodyArrivesMsMax`): a closed connection would swallow the answer. */
const idleTimeoutSeconds = 60;

/** Far above our own limits, which answer in the contract's shape; Bun's own 413 has no body. */
const requestBytesMax = Number.MAX_SAFE_INTEGER;

export function listenPublicly(api: PublicApi, options: ListenOptions): PublicListener {
  api.app.listen({
    ...options,
    // A second process on the port must fail, not share it.
    reusePort: false,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: requestBytesMax,
  });
  const { server } = api.app;
  if (server === null) throw new Error("The public listener did not open");
  return {
    hostname: options.hostname,
    port: server.port ?? options.port,
    async stop() {
      await api.stopTaking();
      await server.stop(true);
    },
  };
}
