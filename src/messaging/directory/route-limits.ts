/** Checks that a sender fits a route: a carrier's limit must be reported here, not as refusals later. */

import { isChannel } from "../../domain/channel.ts";
import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { isReceiveOnly } from "../../domain/receive-only.ts";
import { senderLimitKey, takesSender } from "../../domain/sender-limit.ts";
import type { RouteRow } from "../../store/routes.ts";
import type { Tables } from "../../store/store.ts";
import { parseFile } from "./route-service.ts";

/** A route that messages can be sent by. Throws `route_not_found`, `invalid`. */
export function sendingRoute(tables: Tables, name: string): RouteRow {
  const route = presentRoute(tables, name);
  const file = parseFile(route.options);
  if (isReceiveOnly(file)) throw invalidRequest([problemOf("routes", "receive_only_route", { route: name })]);
  if (isChannel(file)) throw invalidRequest([problemOf("routes", "channel_route", { route: name })]);
  return route;
}

/** Throws `route_not_found`, and `invalid` if it is no channel. */
export function assertChannel(tables: Tables, name: string): void {
  const { options } = presentRoute(tables, name);
  if (!isChannel(parseFile(options))) throw invalidRequest([problemOf("steps", "no_channel", { route: name })]);
}

function presentRoute(tables: Tables, name: string): RouteRow {
  const route = tables.routes.byName(name);
  if (route !== null) return route;
  throw new OperatorError("route_not_found", { code: "no_name", values: { subject: "route", name } });
}

/** Throws `invalid`. */
export function refuseTooLongSender({ name, options }: RouteRow, sender: string): void {
  if (takesSender(parseFile(options), sender)) return;
  throw invalidRequest([problemOf("sender", "sender_too_long", { sender, route: name, key: senderLimitKey })]);
}
