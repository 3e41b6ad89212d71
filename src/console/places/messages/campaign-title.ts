/** Where a campaign's page is, and what it is called. */
import type { CampaignAnswer } from "../../../operator/campaigns.ts";
import type { Locale } from "../../locale.ts";
import { messagesWords } from "./words.ts";

export const campaignHref = (id: string): string => `/campaigns/${id}`;

/** The name its requests gave it, or the group it was sent to. */
export function campaignTitle(
  { id, name, group }: Pick<CampaignAnswer, "id" | "name" | "group">,
  { language }: Pick<Locale, "language">,
): string {
  const say = messagesWords[language].campaign;
  return name ?? (group === null ? say.unnamed(id) : say.toGroup(group));
}
