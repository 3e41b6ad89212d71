/**
 * `/ported-numbers`: the table of numbers that moved between networks, whose file `peyk ported import` builds, and whom the
 * networks of other numbers are asked of.
 */
import { Type as t } from "@sinclair/typebox";
import { networkSourceNames } from "../domain/network-source.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes, reads } from "./operation.ts";
import { routeFileSchema } from "./schemas.ts";

export function tableAnswer({ routingPlans }: Pick<OperatorDeps, "routingPlans">) {
  const state = routingPlans.ported.state();
  /** `problem`: why its file cannot be used, so that number ranges decide; null if it can. */
  return state === null ? null : { ...state, importedAt: isoTime(state.importedAt) };
}

function lookupAnswer({ lookups }: OperatorDeps) {
  const state = lookups.state();
  const last = state?.lastProblem ?? null;
  return state === null ? null : { ...state, lastProblem: last && { ...last, at: isoTime(last.at) } };
}

/** E.164. */
function mobileNumber({ facts }: OperatorDeps, text: string): string {
  const number = parseMobileNumber(text, facts.defaultRegion);
  if (number === null) throw invalidRequest([problemOf("number", "mobile_number", {})]);
  return number;
}

const told = { target: () => "ported numbers", told: (_: unknown, answer: { numbers: number }) => ({ ...answer }) };

const lookupAudit = {
  target: () => "number look-up",
  state: ({ lookups }: OperatorDeps) => lookups.state()?.settings ?? null,
};

export const portedNumberAdmin = {
  "GET /ported-numbers": reads({
    may: "routes.read",
    run: (deps) => ({ folder: deps.facts.dataDir, table: tableAnswer(deps), lookup: lookupAnswer(deps) }),
  }),
  "GET /ported-numbers/:number": reads({
    may: "routes.read",
    input: { number: t.String() },
    run(deps, { number: text }) {
      const { networks } = deps.routingPlans;
      const number = mobileNumber(deps, text);
      const { network, source } = networks.find(number);
      const nameOf = (id: number) => (id === 0 ? null : networks.nameOf(id));
      /** `range`: the network of its number range. */
      return {
        number,
        network: nameOf(network),
        source: networkSourceNames[source],
        range: nameOf(networks.networkOfRange(number)),
      };
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
  "PUT /number-lookup": changes({
    may: "routes.change",
    /** The whole file, secrets included. */
    input: { file: routeFileSchema },
    run: async (deps, { file }) => {
      await deps.lookups.set(file);
      return lookupAnswer(deps);
    },
    audit: { action: "ported.lookup", ...lookupAudit },
  }),
  "DELETE /number-lookup": changes({
    may: "routes.change",
    run: async ({ lookups }) => {
      await lookups.set(null);
      return {};
    },
    audit: { action: "ported.lookup.remove", ...lookupAudit },
  }),
  "POST /number-lookup/test": changes({
    may: "routes.change",
    input: { number: t.String() },
    run: async (deps, { number: text }) => {
      const number = mobileNumber(deps, text);
      const { network, problem, ms } = await deps.lookups.try(number);
      return { number, network: network === 0 ? null : deps.routingPlans.networks.nameOf(network), problem, ms };
    },
    audit: {
      action: "ported.lookup.try",
      target: ({ number }) => String(number),
      told: (_, { network, problem }) => ({ network, problem }),
    },
  }),
};
