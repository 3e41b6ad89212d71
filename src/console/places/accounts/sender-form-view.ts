/** Reads and fills the form of a sender, and lists all senders with their routes. */

import { isChannel } from "../../../domain/channel.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { isReceiveOnly } from "../../../domain/receive-only.ts";
import type { RouteAnswer } from "../../../operator/answers.ts";
import type { ListPart } from "../../components/collection.tsx";
import { cleanInput } from "../../format/input.ts";
import type { FormFields } from "../../forms/form-fields.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { type AskedPart, rangeOf, shownAs, shownPart } from "../../page/list-part.ts";
import type { PageCall } from "../../page/page.ts";
import { type RouteOption, routeField, routesMax, type TypedSender } from "./sender-form.tsx";
import type { SenderItem, SenderRoute } from "./senders.tsx";

/** Used by a service in which no route was chosen. */
const defaultRoute = "simulator";

const stateOf = ({ enabled, up }: Pick<RouteAnswer, "enabled" | "up">): RouteOption["state"] =>
  enabled ? (up ? "up" : "down") : "off";

const takesSenders = ({ options }: RouteAnswer) => !isReceiveOnly(options) && !isChannel(options);

/** Those that carry messages of senders. */
export const routeOptions = (routes: readonly RouteAnswer[]): RouteOption[] =>
  routes.filter(takesSenders).map((route) => ({ name: route.name, state: stateOf(route) }));

type AccountCall = PageCall<{ readonly id: string }>;

/** What the form lets choose from. @throws OperatorError `account_not_found` */
export async function senderChoices({ api, params: { id } }: AccountCall) {
  const [account, routes, plans] = await Promise.all([namedAccount(api, id), api("GET /routes"), api("GET /plans")]);
  /** Not the simulator, where a route leads to a network. */
  const newest = routes.findLast((route) => route.kind !== "simulator" && takesSenders(route));
  const preferred: readonly string[] = newest === undefined ? [] : [newest.name];
  return { account, routes: routeOptions(routes), plans: plans.map(({ name }) => name), defaultRoute, preferred };
}

/** Current values. @throws OperatorError `sender_not_found` if the account has no such sender */
export async function senderNow({ api, params }: AccountCall, sender: string): Promise<TypedSender> {
  const { rows } = await api("GET /senders", { account: params.id, name: sender, limit: 500 });
  const found = rows.find((one) => one.sender === sender);
  // Without a sender of that name there is nothing to change.
  if (found === undefined) throw new OperatorError("sender_not_found");
  return { texts: { sender, plan: found.plan ?? "" }, chosen: found.usesDefaultRoute ? [] : found.routes };
}

/** Gaps close up, and a route chosen twice counts once. */
export function postedSender(form: FormFields): TypedSender {
  const chosen = Array.from({ length: routesMax }, (_, index) => cleanInput(form.text(routeField(index))));
  return {
    texts: { sender: cleanInput(form.text("sender")), plan: form.text("plan") },
    chosen: [...new Set(chosen.filter((name) => name !== ""))],
  };
}

export async function allSenders(api: ConsoleApi, asked: AskedPart): Promise<ListPart<SenderItem>> {
  const [part, routes] = await Promise.all([api("GET /senders", rangeOf(asked)), routeStates(api)]);
  return shownAs(shownPart(part, asked), (row) => ({ ...row, routeStates: row.routes.map(routes) }));
}

/** Adds the state to each name. */
export async function routeStates(api: ConsoleApi): Promise<(name: string) => SenderRoute> {
  const routes = new Map((await api("GET /routes")).map((route) => [route.name, route]));
  return (name) => {
    const found = routes.get(name);
    return {
      name,
      state: found === undefined ? "off" : stateOf(found),
      isSimulated: found?.kind === "simulator",
    };
  };
}
