/** Tests an SMPP route step by step on its own connection: connects, binds, unbinds. */
import type { Socket } from "node:net";
import { probeConnection } from "../connection.ts";
import { type ProbeStep, type ProviderDeps, probeStep, stepTimer } from "../provider.ts";
import type { Host } from "./host-order.ts";
import type { SmppOptions } from "./options.ts";
import { type BindMode, bindModes, Session, type SessionEnd } from "./session.ts";

/**
 * The steps `connect`, `tls` (if the route uses it), `bind` and `unbind`, for each host and each kind of bind; a host's
 * first failure is its last step. A carrier that limits binds may refuse one more than the route already holds, and
 * says so.
 */
export async function probeRoute(options: SmppOptions, deps: ProviderDeps): Promise<ProbeStep[]> {
  const steps: ProbeStep[] = [];
  for (const host of options.hosts) {
    for (const mode of bindModes[options.bind]) {
      const isUp = await probeBind(host, mode, options, deps, steps);
      if (!isUp) break;
    }
  }
  return steps;
}

async function probeBind(
  host: Host,
  mode: BindMode,
  options: SmppOptions,
  deps: ProviderDeps,
  steps: ProbeStep[],
): Promise<boolean> {
  const connected = await probeConnection({ ...host, tls: options.tls }, deps, options.responseTimeoutMs);
  steps.push(...connected.steps);
  return connected.socket !== null && bindAndUnbind(connected.socket, mode, options, deps, steps);
}

function bindAndUnbind(
  socket: Socket,
  mode: BindMode,
  options: SmppOptions,
  { clock, log }: ProviderDeps,
  steps: ProbeStep[],
): Promise<boolean> {
  return new Promise((resolve) => {
    const took = stepTimer(clock);
    let bound = false;
    const events = {
      bound: () => {
        bound = true;
        const reason = { code: "test_bound", mode, systemId: options.systemId } as const;
        steps.push({ ...probeStep("bind", true, reason), ms: took() });
        session.stop(0);
      },
      closing: () => undefined,
      // The SMSC may deliver at once; a refusal makes it retry over one of the lasting binds.
      delivery: () => Promise.reject(new Error("this bind only tries the route out")),
      ended: ({ kind, reason }: SessionEnd) => {
        const step = bound ? probeStep("unbind", kind === "stopped", reason) : probeStep("bind", false, reason);
        steps.push({ ...step, ms: took() });
        resolve(bound);
      },
    };
    const session = new Session(socket, { mode, options, events, clock, log });
    session.bind();
  });
}
