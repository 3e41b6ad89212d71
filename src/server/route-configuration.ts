/** Converts a route of the directory to what the dispatcher runs. */
import type { RouteConfiguration } from "../dispatch/route-set.ts";
import { JsonFileReader } from "../domain/json-file.ts";
import type { Route } from "../messaging/directory/directory.ts";
import { parseFile } from "../messaging/directory/route-service.ts";
import { readFailover } from "../providers/failover-file.ts";
import { readUncertainPolicy } from "../providers/uncertain-policy-file.ts";

/** True if carriers call it: its receipts and inbound texts arrive as requests. */
export const isCallable = ({ kind, removedAt }: Route): boolean => kind === "http" && removedAt === null;

/** Any change other than of its policy rebuilds the provider. */
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
  const file = new JsonFileReader(parseFile(options), []);
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
