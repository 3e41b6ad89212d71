/** `/charges`: what was charged and what it cost over a period, grouped as the figures are; by the time of hand-over. */
import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { LocalCalendar } from "../domain/local-calendar.ts";
import { Slices } from "../platform/next-turn.ts";
import type { ChargeRow } from "../store/charges.ts";
import { presentTimeZone } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { reads } from "./operation.ts";
import { oneOf, timeSchema } from "./schemas.ts";

const groupings = ["account", "sender", "route", "network", "day", "month", "all"] as const;

const chargeFields = {
  /** The period of hand-over; includes quarters of an hour that begin in it. */
  from: timeSchema,
  to: timeSchema,
  by: oneOf(groupings),
  /** In which days begin. */
  timeZone: t.Optional(t.String({ maxLength: 64 })),
  calendar: t.Optional(oneOf(["gregory", "persian"])),
  account: t.Optional(t.String()),
};

type ChargesQuery = Static<TObject<typeof chargeFields>>;

export interface ChargesRow {
  /** An account's id, a name, or a period as in the figures; null if unknown. */
  of: string | null;
  /** Amounts in the currency's smallest unit. */
  price: number;
  cost: number;
}

/** Read at once for one account. */
const stepMs = 7 * 86_400_000;

function keyOf({ by, timeZone = "UTC", calendar = "gregory" }: ChargesQuery, deps: OperatorDeps) {
  const { directory, routingPlans } = deps;
  const local = new LocalCalendar(presentTimeZone(timeZone), calendar);
  const periods = new Map<number, string>();
  const periodOf = (slotAt: number, period: "day" | "month") => {
    const name = periods.get(slotAt) ?? local[period](slotAt).name;
    periods.set(slotAt, name);
    return name;
  };
  return ({ accountId, senderId, routeId, network, slotAt }: ChargeRow): string | null => {
    switch (by) {
      case "account":
        return accountIdText(accountId);
      case "sender":
        return directory.senderById(senderId)?.sender ?? null;
      case "route":
        return directory.routeById(routeId)?.name ?? null;
      case "network":
        return network === 0 ? null : routingPlans.networks.nameOf(network);
      case "all":
        return "";
      default:
        return periodOf(slotAt, by);
    }
  };
}

async function chargesBy(deps: OperatorDeps, query: ChargesQuery): Promise<ChargesRow[]> {
  const accountId = listedAccountOf(query.account, deps.directory);
  const accounts = accountId === undefined ? deps.directory.accounts().map(({ id }) => id) : [accountId];
  const key = keyOf(query, deps);
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)];
  const rows = new Map<string | null, ChargesRow>();
  const slices = new Slices();
  for (const id of accounts) {
    for (let at = from; at < to; at += stepMs) {
      for (const row of deps.balances.charges(id, at, Math.min(at + stepMs, to))) {
        const of = key(row);
        const known = rows.get(of) ?? { of, price: 0, cost: 0 };
        rows.set(of, { of, price: known.price + row.price, cost: known.cost + row.cost });
      }
      await slices.pause();
    }
  }
  return [...rows.values()];
}

export const chargesAdmin = {
  "GET /charges": reads({
    may: "prices.read",
    input: chargeFields,
    run: async (deps, query) => ({ currency: deps.facts.currency, rows: await chargesBy(deps, query) }),
  }),
};
