/** What a form offers of accounts and senders: as many as it lists, and one more where there are more. */
import type { SenderAnswer } from "../../operator/answers.ts";
import type { Option } from "../components/forms.tsx";
import { readForForm } from "../components/listed-field.tsx";
import type { Locale } from "../locale.ts";
import type { ConsoleApi } from "./console-api.ts";

/** By id. None for a customer, who has one account and may list none. */
export async function accountOptions(api: ConsoleApi, isOwn = false): Promise<Option[]> {
  if (isOwn) return [];
  const { rows } = await api("GET /accounts", { limit: readForForm });
  return rows.map(({ id, name }) => ({ value: id, label: name }));
}

/** An account id holds no slash; a sender may. */
export const senderText = ({ account, sender }: Pick<SenderAnswer, "account" | "sender">): string =>
  `${account}/${sender}`;

/** Active ones; with their account's name where there are several accounts. */
export async function senderOptions(api: ConsoleApi, { words }: Locale): Promise<(Option & { plan: string | null })[]> {
  const { rows } = await api("GET /senders", { limit: readForForm, active: true });
  const isOfOneAccount = rows.every(({ account }) => account === rows[0]?.account);
  return rows.map((one) => ({
    value: senderText(one),
    label: isOfOneAccount ? one.sender : words.send.from(one.accountName, one.sender),
    plan: one.plan,
  }));
}
