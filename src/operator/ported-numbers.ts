/** `/ported-numbers`: the table of numbers that moved between networks. `peyk ported import` builds its file. */
import { Type as t } from "@sinclair/typebox";
import { networkSourceNames } from "../domain/network-source.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes, reads } from "./operation.ts";

export type PortedTableAnswer = ReturnType<typeof tableAnswer>;

export function tableAnswer({ routingPlans }: Pick<OperatorDeps, "routingPlans">) {
  const state = routingPlans.ported.state();
  /** `problem`: why its file cannot be used, so that number ranges decide; null if it can. */
  return state === null ? null : { ...state, importedAt: isoTime(state.importedAt) };
}

const told = { target: () => "ported numbers", told: (_: unknown, answer: { numbers: number }) => ({ ...answer }) };

export const portedNumberAdmin = {
  "GET /ported-numbers": reads({
    may: "routes.read",
    run: (deps) => ({ folder: deps.facts.dataDir, table: tableAnswer(deps) }),
  }),
  "GET /ported-numbers/:number": reads({
    may: "routes.read",
    input: { number: t.String() },
    run({ routingPlans: { networks }, facts }, { number: text }) {
      const number = parseMobileNumber(text, facts.defaultRegion);
      if (number === null) throw invalidRequest([problemOf("number", "mobile_number", {})]);
      const nameOf = (id: number) => (id === 0 ? null : networks.nameOf(id));
      const [network, range] = [networks.networkOf(number), networks.networkOfRange(number)].map(nameOf);
      /** `range`: the network of its number range. */
      return { number, network, source: networkSourceNames[networks.sourceOf(number)], range };
    },
  }),
  "POST /ported-numbers": changes({
    may: "routes.change",
    /** Of the file that is in the data folder. */
    input: { sum: t.String({ pattern: "^[0-9a-f]{64}$" }) },
    run: ({ routingPlans }, { sum }) => routingPlans.ported.take(sum),
    audit: { action: "ported.import", ...told },
  }),
  "DELETE /ported-numbers": changes({
    may: "routes.change",
    run: ({ routingPlans }) => routingPlans.ported.clear(),
    audit: { action: "ported.remove", ...told },
  }),
};
