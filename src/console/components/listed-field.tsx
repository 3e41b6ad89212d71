/** The field of an account or a sender: a list to choose from, and a text field where there are more than a list is read through. */
import { useLocale } from "../locale.ts";
import type { Words } from "../words/en.ts";
import { type Option, SelectField, TextField } from "./forms.tsx";

/** Three thousand accounts made each form 150 KB. */
const listedMax = 100;

/** What a form reads of them: one more than it lists says that one is typed. */
export const readForForm = listedMax + 1;

export const isListed = (options: readonly Option[]): boolean => options.length <= listedMax;

interface AccountFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** An account's id, or what was typed. */
  value: string;
  /** By id: every account, or `readForForm` of them. */
  accounts: readonly Option[];
  /** What may stand in the place of an account; the first of them is meant by an empty field. */
  others?: readonly Option[];
}

/** What was typed is read by `typedAccount`. */
export function AccountField({ accounts, others = [], hint, ...props }: AccountFieldProps) {
  const { words } = useLocale();
  const field = { name: "account", ...props };
  if (isListed(accounts)) {
    return <SelectField {...field} {...(hint !== undefined && { hint })} options={[...others, ...accounts]} />;
  }
  const say = words.forms.account;
  const meant = others.map(({ value, label }) => (value === "" ? say.empty(label) : say.instead(value, label)));
  const told = [...(hint === undefined ? [] : [hint]), accountHint(words), ...meant].join(" ");
  return <TextField {...field} hint={told} size="medium" />;
}

/** How an account is typed. */
export const accountHint = ({ forms }: Words): string => forms.account.hint("acc_12");

interface SenderFieldProps {
  name: string;
  label: string;
  error?: string | undefined;
  /** `acc_1/30001234`, or what was typed. */
  value: string;
  /** Every sender, or `readForForm` of them. */
  senders: readonly Option[];
  /** All are of the reader's own account. */
  isOwn?: boolean;
}

/** What was typed is read by `typedSender`. */
export function SenderField({ senders, isOwn = false, ...field }: SenderFieldProps) {
  const { words } = useLocale();
  if (isListed(senders)) return <SelectField {...field} options={senders} script="digits" />;
  const say = words.forms.sender;
  const hint = isOwn ? say.hint("30001234") : `${say.hint("30001234")} ${say.ofSeveral("acc_12/30001234")}`;
  return <TextField {...field} hint={hint} size="medium" script="digits" />;
}
