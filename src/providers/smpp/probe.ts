/** Tries a route out on a connection of its own: reaches the host, binds, unbinds, and says how far it came. */
import type { Socket } from "node:net";
import { describeReason } from "../../domain/reason-text.ts";
import { ConnectionError, openConnection } from "../connection.ts";
import type { SmppOptions } from "./options.ts";
import { type BindMode, Session, type SessionEnd } from "./session.ts";
import type { SmppEnvironment } from "./smpp-provider.ts";

export interface ProbeStep {
  step: string;
  ok: boolean;
  detail: string;
}

/**
 * The steps `connect`, `tls` (where the route has it), `bind` and `unbind`, once for each kind of bind; the first that
 * fails is the last. A carrier that counts binds may refuse one more than the route already holds, and says so.
 */
export async function probeRoute(options: SmppOptions, environment: SmppEnvironment): Promise<ProbeStep[]> {
  const modes: readonly BindMode[] = options.bind === "transceiver" ? ["transceiver"] : ["transmitter", "receiver"];
  const steps: ProbeStep[] = [];
  for (const mode of modes) {
    const isUp = await probeBind(mode, options, environment, steps);
    if (!isUp) break;
  }
  return steps;
}

async function probeBind(
  mode: BindMode,
  options: SmppOptions,
  environment: SmppEnvironment,
  steps: ProbeStep[],
): Promise<boolean> {
  const place = `${options.host}:${options.port}`;
  const socket = await openConnection(options, environment.clock, options.responseTimeoutMs).opened.catch(
    (error: unknown) => asConnectionError(error),
  );
  const failure = socket instanceof ConnectionError ? socket : null;
  const reached = failure === null || failure.step === "tls";
  steps.push({ step: "connect", ok: reached, detail: reached ? place : failure.message });
  if (reached && options.tls !== null) {
    steps.push({ step: "tls", ok: failure === null, detail: failure?.message ?? "the certificate is good" });
  }
  if (socket instanceof ConnectionError) return false;
  return bindAndUnbind(socket, mode, options, environment, steps);
}

function asConnectionError(error: unknown): ConnectionError {
  return error instanceof ConnectionError ? error : new ConnectionError("connect", String(error));
}

function bindAndUnbind(
  socket: Socket,
  mode: BindMode,
  options: SmppOptions,
  { clock, log }: SmppEnvironment,
  steps: ProbeStep[],
): Promise<boolean> {
  return new Promise((resolve) => {
    let bound = false;
    const events = {
      bound: () => {
        bound = true;
        steps.push({ step: "bind", ok: true, detail: `${mode} as ${options.systemId}` });
        session.stop(0);
      },
      closing: () => undefined,
      // The SMSC may deliver at once: it is told to try again, for the bind that stays.
      delivery: () => Promise.reject(new Error("this bind only tries the route out")),
      ended: ({ kind, reason }: SessionEnd) => {
        const detail = describeReason(reason);
        if (bound) steps.push({ step: "unbind", ok: kind === "stopped", detail });
        else steps.push({ step: "bind", ok: false, detail });
        resolve(bound);
      },
    };
    const session = new Session(socket, { mode, options, events, clock, log });
    session.bind();
  });
}
