/** A route of the directory as the dispatcher runs it. */
import type { RouteConfiguration } from "../dispatch/route-set.ts";
import type { Route } from "../messaging/directory/directory.ts";
import { parseFile } from "../messaging/directory/route-service.ts";
import { readFailover } from "../providers/failover-file.ts";
import { RouteFileReader } from "../providers/route-file.ts";
import { readUncertainPolicy } from "../providers/uncertain-policy-file.ts";

/** Whether carriers call it: its receipts and inbound texts come as requests. */
export const isCallable = ({ kind, removedAt }: Route): boolean => kind === "http" && removedAt === null;

/** A change of anything else than its policy builds the provider anew. */
export function configurationOf({
  id,
  name,
  kind,
  enabled,
  removedAt,
  options,
  sealedSecrets,
  drainingSince,
}: Route): RouteConfiguration {
  const file = new RouteFileReader(parseFile(options), []);
  return {
    id,
    name,
    enabled: enabled && removedAt === null,
    isDraining: drainingSince !== null,
    ...readUncertainPolicy(file),
    ...readFailover(file),
    revision: `${kind} ${options} ${sealedSecrets?.toString("base64")}`,
  };
}
