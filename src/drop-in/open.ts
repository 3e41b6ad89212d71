/** Assembles the service of the drop-in listener: what its protocols share, and the protocols. */
import { DropInCustomers, type DropInCustomersDeps } from "./customers.ts";
import { DropInService, type DropInServiceDeps } from "./drop-in-service.ts";
import { type ForwardDeps, Forwards } from "./forwards.ts";
import { type IntakeDeps, openIntakes } from "./intake/intake.ts";
import { jasminCallbacks } from "./jasmin/callbacks.ts";
import { openJasmin } from "./jasmin/jasmin.ts";
import type { JasminDeps } from "./jasmin/operations.ts";
import { kannelCallbacks } from "./kannel/callbacks.ts";
import { type KannelDeps, openKannel } from "./kannel/kannel.ts";
import { type MessageCallbackDeps, MessageCallbacks } from "./message-callbacks.ts";
import { DropInSubmitter, type DropInSubmitterDeps } from "./submitter.ts";

export type DropInDeps = DropInCustomersDeps &
  Omit<DropInSubmitterDeps, "customers"> &
  Omit<DropInServiceDeps, "protocols" | "customers"> &
  Pick<IntakeDeps, "bookingClock" | "intakes" | "calls" | "groupSender" | "messages"> &
  Pick<KannelDeps, "credentials"> &
  Pick<JasminDeps, "callbacks" | "balances" | "prices" | "random">;

export function openDropInService(deps: DropInDeps): DropInService {
  const customers = new DropInCustomers(deps);
  const submitter = new DropInSubmitter({ ...deps, customers });
  const shared = { ...deps, customers, submitter };
  // A new protocol is a folder beside these, and an entry here. Paths that credentials name go last.
  const protocols = [openJasmin(shared), openIntakes(shared), openKannel(shared)];
  return new DropInService({ ...shared, protocols });
}

/** These run even if the listener is off: messages accepted with a callback still get it. */
export const openMessageCallbacks = (deps: Omit<MessageCallbackDeps, "protocols">): MessageCallbacks =>
  new MessageCallbacks({ ...deps, protocols: [kannelCallbacks, jasminCallbacks] });

/** Forwards to customers' programs share queues and slots with the callbacks of their messages. */
export function openForwards(deps: Omit<ForwardDeps, "queueOf">, callbacks: MessageCallbacks): Forwards {
  return new Forwards({ ...deps, queueOf: (tables, queue) => callbacks.queueOf(tables, queue) });
}
