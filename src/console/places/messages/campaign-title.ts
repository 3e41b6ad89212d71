/** Where a campaign's page is, and what it is called. */
import type { CampaignAnswer } from "../../../operator/campaigns.ts";
import type { Locale } from "../../locale.ts";
import { messagesWords } from "./words.ts";

export const campaignHref = (id: string): string => `/campaigns/${id}`;

type Named = Pick<CampaignAnswer, "name" | "group" | "begins" | "sender" | "createdAt">;

/** The name its requests gave it, the group it was sent to, its first words, or its day and sender. */
export function campaignTitle({ name, group, begins, sender, createdAt }: Named, { language, format }: Locale): string {
  const say = messagesWords[language].campaign;
  if (name !== null) return name;
  if (group !== null) return say.toGroup(group);
  if (begins !== null && begins.words !== "") return quoted(begins.isCut ? `${begins.words} …` : begins.words);
  return say.ofDay(format.date(createdAt), sender);
}

/** By the script of what is quoted: the marks stand at its ends in a page of either direction. */
const quoted = (words: string): string => (/\p{Script=Arabic}/u.test(words) ? `«${words}»` : `“${words}”`);
