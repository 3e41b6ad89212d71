/**
 * Opens the public listener: its limits leave the answers to bad requests to us, and its certificate can be renewed.
 */
import { listenerTls } from "../platform/listener-tls.ts";
import {
  idleTimeoutSeconds,
  listenRenewably,
  type OpenOptions,
  type OpenServer,
  type RenewableListener,
  type RenewableListenOptions,
  requestBytesMax,
} from "../platform/renewable-listener.ts";
import type { PublicApi } from "./api.ts";

export function listenPublicly(api: PublicApi, options: RenewableListenOptions): RenewableListener {
  const service = {
    open: (address: OpenOptions) => open(api, address),
    fetch: (request: Request) => api.fetch(request),
    stopTaking: api.stopTaking,
  };
  return listenRenewably(service, options);
}

function open(api: PublicApi, { sharing, tls, ...address }: OpenOptions): OpenServer {
  const listeners = new Set(process.listeners("beforeExit"));
  api.app.listen({
    ...address,
    ...(tls != null && { tls: listenerTls(tls) }),
    reusePort: sharing,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: requestBytesMax,
  });
  // Elysia would stop the server on process exit, which the server does itself; and each renewal would add a listener.
  for (const listener of process.listeners("beforeExit")) {
    if (!listeners.has(listener)) process.off("beforeExit", listener);
  }
  const { server } = api.app;
  if (server === null) throw new Error("The public listener did not open");
  return server;
}
