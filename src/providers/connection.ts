/** Opens the connection to a carrier, plain or TLS; a failure is explained in words for the operator. */

import { readFileSync } from "node:fs";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isCertificateAlert, isConnectionFault } from "../domain/connection-fault.ts";
import type { Reason, ReasonValues } from "../domain/reason.ts";
import { describeReason } from "../domain/reason-text.ts";
import type { Clock } from "../platform/clock.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { type ProbeStep, probeStep } from "./provider.ts";

/** `connect`: the host was not reached; `tls`: it was, and the handshake failed. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  constructor(
    readonly step: "connect" | "tls",
    readonly reason: Reason,
  ) {
    super(describeReason(reason));
  }
}

export interface TlsOptions {
  /** PEM file of the authority that signed the carrier's certificate; null: the system's authorities. */
  caFile: string | null;
  /** The name in the certificate, where it is not `host`. */
  serverName: string | null;
  /** Peyk's own certificate with its chain, and its key, for a carrier that asks for one; PEM. */
  client?: { certFile: string; keyFile: string };
}

export interface CarrierAddress {
  host: string;
  port: number;
  tls: TlsOptions | null;
}

export interface Connection {
  /** @throws ConnectionError */
  opened: Promise<Socket>;
  /** Gives up waiting; `opened` rejects. */
  abort(): void;
}

export function openConnection(peer: CarrierAddress, clock: Clock, timeoutMs: number): Connection {
  let abort = (): void => {};
  const opened = new Promise<Socket>((resolve, reject) => {
    const socket = peer.tls === null ? connectPlain({ host: peer.host, port: peer.port }) : dialTls(peer, peer.tls);
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
  clock: Clock,
  timeoutMs: number,
): Promise<{ steps: ProbeStep[]; socket: Socket | null }> {
  const opened = await openConnection(peer, clock, timeoutMs).opened.catch((error: unknown) =>
    error instanceof ConnectionError
      ? error
      : new ConnectionError("connect", { code: "connection_failed", words: String(error) }),
  );
  const failure = opened instanceof ConnectionError ? opened : null;
  const isReached = failure === null || failure.step === "tls";
  const steps: ProbeStep[] = [
    isReached
      ? { step: "connect", ok: true, detail: `${peer.host}:${peer.port}` }
      : probeStep("connect", false, failure.reason),
  ];
  if (isReached && peer.tls !== null) {
    steps.push(
      failure === null
        ? probeStep("tls", true, { code: "test_certificate_good" })
        : probeStep("tls", false, failure.reason),
    );
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

/** Read anew for each connection: a file that was renewed is used from the next one on. */
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

/** Why an open connection broke. OpenSSL's own words name the alert at their end. */
export function lossReason({ message: words }: Error): Reason {
  const alert = words.split("ALERT_").at(-1) ?? "";
  return isCertificateAlert(alert) ? { code: "certificate_refused", alert } : { code: "connection_failed", words };
}
