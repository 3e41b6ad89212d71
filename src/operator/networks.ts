/** Networks: list, add number ranges by CSV, remove them. */
import { Elysia, t } from "elysia";
import { iranNetworksSource } from "../domain/iran-networks.ts";
import { rangeText } from "../domain/number-range.ts";
import { OperatorError } from "../domain/operator-error.ts";
import type { Network } from "../messaging/routing/networks.ts";
import type { OperatorDeps } from "./deps.ts";

type NetworkDeps = Pick<OperatorDeps, "routingPlans">;

export type NetworkAnswer = ReturnType<typeof networkAnswer>;

export function networkAnswer({ id, name, isOwn }: Network, { routingPlans }: NetworkDeps) {
  const ranges = routingPlans.networks.rangesOf(id).map(rangeText);
  /** `source`: of the ranges that Peyk knows itself; null for a network that was added. `ranges`: those that count now. */
  return { name, source: isOwn ? null : iranNetworksSource, ranges };
}

const csvBytesMax = 1_000_000;

export function networkRoutes(deps: OperatorDeps) {
  const { networks, networkService } = deps.routingPlans;
  return new Elysia({ prefix: "/networks" })
    .get("/", () => networks.all().map((network) => networkAnswer(network, deps)))
    .post("/import", ({ body: { csv } }) => networkService.import(csv), {
      body: t.Object({ csv: t.String({ maxLength: csvBytesMax, error: "must be CSV of at most 1 MB" }) }),
    })
    .delete("/:name", async ({ params }) => {
      const network = networks.byName(params.name);
      if (network === null) throw new OperatorError("network_not_found");
      /** `removed`: how many ranges that had been added. */
      return { name: network.name, removed: await networkService.remove(network.name) };
    });
}
