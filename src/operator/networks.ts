/** Networks: list, add number ranges by CSV, remove them. */

import { Type as t } from "@sinclair/typebox";
import { iranNetworksSource } from "../domain/iran-networks.ts";
import { rangeText } from "../domain/number-range.ts";
import { OperatorError } from "../domain/operator-error.ts";
import type { Network } from "../messaging/routing/networks.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes, reads } from "./operation.ts";
import { told } from "./schemas.ts";

type NetworkDeps = Pick<OperatorDeps, "routingPlans">;

export type NetworkAnswer = ReturnType<typeof networkAnswer>;

export function networkAnswer({ id, name, isOwn }: Network, { routingPlans }: NetworkDeps) {
  const ranges = routingPlans.networks.rangesOf(id).map(rangeText);
  /** `source`: of the built-in ranges; null for a network that was added. `ranges`: those currently in effect. */
  return { name, source: isOwn ? null : iranNetworksSource, ranges };
}

const csvBytesMax = 1_000_000;

export const networkAdmin = {
  "GET /networks": reads({
    may: "routes.read",
    run: (deps) => deps.routingPlans.networks.all().map((network) => networkAnswer(network, deps)),
  }),
  "POST /networks/import": changes({
    may: "routes.change",
    input: { csv: t.String({ maxLength: csvBytesMax, ...told("csv_too_large", { megabytes: 1 }) }) },
    run: ({ routingPlans }, { csv }) => routingPlans.networkService.import(csv),
    audit: { action: "network.import", target: () => "networks", told: (_, answer) => ({ ...answer }) },
  }),
  "DELETE /networks/:name": changes({
    may: "routes.change",
    input: { name: t.String() },
    run: async ({ routingPlans: { networks, networkService } }, { name }) => {
      const network = networks.byName(name);
      if (network === null) throw new OperatorError("network_not_found");
      /** `removed`: the number of added ranges that were removed. */
      return { name: network.name, removed: await networkService.remove(network.name) };
    },
    audit: { action: "network.remove", target: ({ name }) => name, told: (_, answer) => answer },
  }),
};
