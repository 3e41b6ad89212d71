/** A route of the directory as the dispatcher runs it. */
import type { RouteConfiguration } from "../dispatch/route-set.ts";
import type { Route } from "../messaging/directory/directory.ts";

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
}: Route): RouteConfiguration {
  const file: unknown = JSON.parse(options);
  const policy = typeof file === "object" && file !== null && "onUncertain" in file ? file.onUncertain : "resend";
  return {
    id,
    name,
    enabled: enabled && removedAt === null,
    onUncertain: policy === "fail" ? "fail" : "resend",
    revision: `${kind} ${options} ${sealedSecrets?.toString("base64")}`,
  };
}
