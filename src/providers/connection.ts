/** Opens the connection to a carrier, with or without TLS; failures are explained to the operator. */

import { readFileSync } from "node:fs";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isConnectionFault } from "../domain/connection-fault.ts";
import { describeReason, type Reason, type ReasonValues } from "../domain/reason.ts";
import type { Clock } from "../platform/clock.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import type { CarrierAddress, CarrierNetwork, TlsOptions } from "./carrier-network.ts";
import { type ProbeStep, probeStep, stepTimer } from "./provider.ts";

/** `connect`: the host was not reached; `tls`: it was, but the handshake failed. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  constructor(
    readonly step: "connect" | "tls",
    readonly reason: Reason,
  ) {
    super(describeReason(reason));
  }
}

export interface Connection {
  /** @throws ConnectionError */
  opened: Promise<Socket>;
  /** Gives up waiting; `opened` rejects. */
  abort(): void;
}

export const systemNetwork: CarrierNetwork = {
  dial: (peer) => (peer.tls === null ? connectPlain({ host: peer.host, port: peer.port }) : dialTls(peer, peer.tls)),
  fetch: (url, request) => fetch(url, request),
};

export interface ConnectionDeps {
  clock: Clock;
  /** The system's by default. */
  network?: CarrierNetwork;
}

export function openConnection(
  peer: CarrierAddress,
  { clock, network = systemNetwork }: ConnectionDeps,
  timeoutMs: number,
): Connection {
  let abort = (): void => {};
  const opened = new Promise<Socket>((resolve, reject) => {
    const socket = network.dial(peer);
    let step: "connect" | "tls" = "connect";
    const fail = (reason: Reason): void => {
      timer.cancel();
      reject(new ConnectionError(step, reason));
      socket.on("error", () => {});
      socket.destroy();
    };
    const { host, port } = peer;
    const timer = clock.after(timeoutMs, () => {
      fail({ code: step === "connect" ? "connect_timeout" : "tls_timeout", host, port, afterMs: timeoutMs });
    });
    abort = () => fail({ code: "connection_failed", words: "stopped" });
    const failed = (error: Error): void => fail(reasonOf(error, peer));
    socket.once("error", failed);
    socket.once("connect", () => {
      step = peer.tls === null ? "connect" : "tls";
    });
    socket.once(peer.tls === null ? "connect" : "secureConnect", () => {
      timer.cancel();
      socket.removeListener("error", failed);
      resolve(socket);
    });
  });
  return { opened, abort: () => abort() };
}

/** Opens a connection and reports it as the steps `connect` and, with TLS, `tls`. The caller ends the socket. */
export async function probeConnection(
  peer: CarrierAddress,
  deps: ConnectionDeps,
  timeoutMs: number,
): Promise<{ steps: ProbeStep[]; socket: Socket | null }> {
  const took = stepTimer(deps.clock);
  const { network = systemNetwork } = deps;
  let connectMs: number | null = null;
  const timed: CarrierNetwork = {
    ...network,
    dial(address) {
      const socket = network.dial(address);
      socket.once("connect", () => {
        connectMs = took();
      });
      return socket;
    },
  };
  const opened = await openConnection(peer, { ...deps, network: timed }, timeoutMs).opened.catch((error: unknown) =>
    error instanceof ConnectionError
      ? error
      : new ConnectionError("connect", { code: "connection_failed", words: String(error) }),
  );
  const failure = opened instanceof ConnectionError ? opened : null;
  const isReached = failure === null || failure.step === "tls";
  const steps: ProbeStep[] = [
    isReached
      ? { step: "connect", ok: true, detail: `${peer.host}:${peer.port}`, ...(connectMs !== null && { ms: connectMs }) }
      : { ...probeStep("connect", false, failure.reason), ms: took() },
  ];
  if (isReached && peer.tls !== null) {
    const tls =
      failure === null
        ? probeStep("tls", true, { code: "test_certificate_good" })
        : probeStep("tls", false, failure.reason);
    steps.push({ ...tls, ms: took() });
  }
  return { steps, socket: opened instanceof ConnectionError ? null : opened };
}

/** @throws ConnectionError when the authority's file cannot be read. */
function dialTls(peer: CarrierAddress, tls: TlsOptions): Socket {
  const name = tls.serverName ?? (isIP(peer.host) === 0 ? peer.host : null);
  return connectTls({
    host: peer.host,
    port: peer.port,
    rejectUnauthorized: true,
    ...(name === null ? {} : { servername: name }),
    ...(tls.caFile === null ? {} : { ca: readPem("authority", tls.caFile) }),
    ...(tls.client === undefined ? {} : readClient(tls.client)),
  });
}

const readClient = ({ certFile, keyFile }: NonNullable<TlsOptions["client"]>) => ({
  cert: readPem("certificate", certFile),
  key: readPem("key", keyFile),
});

/** Read again for each connection, so that a renewed file is used from the next one on. */
function readPem(which: ReasonValues["certificate_file_unreadable"]["which"], file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConnectionError("tls", { code: "certificate_file_unreadable", which, file, words: fileFailure(error) });
  }
}

function reasonOf(error: Error, { host, port }: CarrierAddress): Reason {
  const { message: words } = error;
  const fault = errorCode(error);
  return isConnectionFault(fault)
    ? { code: "not_connected", fault, host, port, words }
    : { code: "connection_failed", words };
}
