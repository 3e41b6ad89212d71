/** Shared by the transport tests: a certificate, receivers, and one post with its outcome in a word. */
import type { Server } from "node:net";
import type { TLSSocket } from "node:tls";
import { systemClock } from "../../src/platform/clock.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import {
  type CallbackRequest,
  type CallbackResponse,
  TransportFailed,
} from "../../src/webhooks/transport/transport.ts";
import type { CleanUp } from "./callbacks.ts";
import { createAuthority } from "./certificates.ts";
import { type ReceivedRequest, tlsReceiver } from "./tls-receiver.ts";

export const authority = createAuthority();
export const host = "hooks.lan";
/** Valid for `host` only. */
export const pair = authority.issue({ names: [`DNS:${host}`] });

/** `status body`, or the class of the failure. */
export async function outcomeOf(posting: Promise<CallbackResponse>): Promise<string> {
  try {
    const { status, body } = await posting;
    return `${status} ${Buffer.from(body).toString("latin1")}`;
  } catch (error) {
    if (error instanceof TransportFailed) return error.failure;
    throw error;
  }
}

export function requestTo(port: number, overrides: Partial<CallbackRequest> = {}): CallbackRequest {
  const body = new TextEncoder().encode(`{"text":"سلام"}`);
  const headers = { "X-Service-Event-Id": "e1" };
  return { address: "127.0.0.1", port, host, target: "/hook?a=b", headers, body, ...overrides };
}

/** Starts listening on any free port of 127.0.0.1 and resolves with it. */
export function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}

/** Transports and receivers that are closed with the test file. */
export function transportFixtures(cleanUp: CleanUp) {
  function createTransport(): TlsTransport {
    const transport = new TlsTransport(systemClock, authority.cert);
    cleanUp.add(() => transport.close());
    return transport;
  }

  async function startReceiver(
    respond: (socket: TLSSocket, request: ReceivedRequest) => void,
    greet?: (socket: TLSSocket) => void,
    own = pair,
  ) {
    const receiver = await tlsReceiver(own, respond, greet);
    cleanUp.add(() => receiver.stop());
    return receiver;
  }

  return {
    createTransport,
    startReceiver,
    /** A receiver that answers every request with this text. */
    startAnswering: (text: string) => startReceiver((socket) => void socket.write(Buffer.from(text, "latin1"))),
    /** With a deadline far beyond what the test needs, so that a hang shows as `aborted` and not as a stuck test. */
    postOnce: (port: number, overrides: Partial<CallbackRequest> = {}, deadlineMs = 3_000) =>
      outcomeOf(createTransport().post(requestTo(port, overrides), AbortSignal.timeout(deadlineMs))),
  };
}
