/** How callbacks are sent, behind an interface: tests replace name servers and receivers. */
import type { Resolver } from "./resolver.ts";
import type { Transport } from "./transport/transport.ts";

export interface CallbackNetwork {
  resolver: Resolver;
  transport: Transport;
}
