/** The field of an account: a list to choose from, and beyond some number of accounts a text field for an id or a name. */
import { useLocale } from "../locale.ts";
import { type Option, SelectField, TextField } from "./forms.tsx";

/** Three thousand accounts made each form 150 KB. */
const listedMax = 100;

interface AccountFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** An account's id, or what was typed. */
  value: string;
  /** Every account, by id. */
  accounts: readonly Option[];
  /** What may stand in the place of an account; the first of them is meant by an empty field. */
  others?: readonly Option[];
}

/** What was typed is read by `typedAccount`. */
export function AccountField({ accounts, others = [], hint, ...props }: AccountFieldProps) {
  const { words } = useLocale();
  const field = { name: "account", ...props };
  if (accounts.length <= listedMax) {
    return <SelectField {...field} {...(hint !== undefined && { hint })} options={[...others, ...accounts]} />;
  }
  const say = words.forms.account;
  const meant = others.map(({ value, label }) => (value === "" ? say.empty(label) : say.instead(value, label)));
  const told = [...(hint === undefined ? [] : [hint]), say.hint("acc_12"), ...meant].join(" ");
  return <TextField {...field} hint={told} size="medium" />;
}
