/**
 * The field for an account or a sender: a list to choose from, or a text field that searches as one types where the
 * list would be too long to read.
 */
import { useLocale } from "../locale.ts";
import type { Words } from "../words/words.ts";
import { type Option, SelectField, TextField } from "./forms.tsx";

/** A list of three thousand accounts made each form 150 KB. */
const listedMax = 100;

/** How many a form reads: one more than it lists, which means that the name has to be typed. */
export const readForForm = listedMax + 1;

export const isListed = (options: readonly Option[]): boolean => options.length <= listedMax;

interface AccountFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** An account's id, or what was typed. */
  value: string;
  /** By id: every account, or the first `readForForm` of them. */
  accounts: readonly Option[];
  /** Choices besides an account; the first of them is what an empty field means. */
  others?: readonly Option[];
}

/** Typed text is resolved by `resolveAccount`. */
export function AccountField({ accounts, others = [], hint, ...props }: AccountFieldProps) {
  const { words } = useLocale();
  const field = { name: "account", ...props };
  if (isListed(accounts)) {
    return <SelectField {...field} {...(hint !== undefined && { hint })} options={[...others, ...accounts]} />;
  }
  const say = words.forms.account;
  const meant = others.map(({ value, label }) => (value === "" ? say.empty(label) : say.instead(value, label)));
  const told = [...(hint === undefined ? [] : [hint]), accountHint(words), ...meant].join(" ");
  return <TextField {...field} hint={told} choices="accounts" />;
}

/** How an account is written in the field. */
export const accountHint = ({ forms }: Words): string => forms.account.hint("acc_12");

interface SenderFieldProps {
  name: string;
  label: string;
  error?: string | undefined;
  /** `acc_1/30001234`, or what was typed. */
  value: string;
  /** Every sender, or the first `readForForm` of them. */
  senders: readonly Option[];
  /** All belong to the reader's own account. */
  isOwn?: boolean;
}

/** Typed text is resolved by `resolveSender`. */
export function SenderField({ senders, isOwn = false, ...field }: SenderFieldProps) {
  const { words } = useLocale();
  if (isListed(senders)) return <SelectField {...field} options={senders} script="digits" />;
  const say = words.forms.sender;
  const hint = isOwn ? say.hint("30001234") : `${say.hint("30001234")} ${say.ofSeveral("acc_12/30001234")}`;
  return <TextField {...field} hint={hint} script="digits" choices={isOwn ? "senderNames" : "senders"} />;
}
