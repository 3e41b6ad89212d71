/** Stores the campaign that a request's messages belong to. */
import type { CampaignKind } from "../../domain/campaign.ts";
import type { AlsoStore, Caller } from "./accept.ts";

export interface CampaignOfRequest {
  kind: CampaignKind;
  /** Joins it to other requests of the account. */
  name?: string | null;
  groupCode?: string | null;
}

/** Undefined for a single message without a name, which is not a campaign. */
export function joining(
  { accountId, apiKeyId, at }: Caller,
  messageCount: number,
  { kind, name = null, groupCode = null }: CampaignOfRequest,
): AlsoStore | undefined {
  if (messageCount === 1 && name === null) return;
  const campaign = { accountId, kind, name, groupCode, apiKeyId, createdAt: at };
  return (tables, firstMessageId) => tables.campaigns.add(campaign, { firstMessageId, messageCount });
}
