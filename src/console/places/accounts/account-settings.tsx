/** What an account may do, and when: all its settings in one form. */
import { accountFields } from "../../../fields/account.ts";
import type { FieldTexts } from "../../../fields/field.ts";
import { quotaFields } from "../../../fields/quota.ts";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { accountSettingsWords } from "./words.ts";

/** As typed; empty means the service's settings apply. */
export type AccountSettingsTexts = FieldTexts<typeof accountFields & typeof quotaFields>;

interface AccountSettings {
  account: { id: string; name: string };
  texts: AccountSettingsTexts;
  errors: FieldErrors;
  /** See `openedWith`. */
  opened: string;
  inherited: ServiceDefaults["account"];
}

export function AccountSettingsPage({ account: { id, name }, texts, errors, opened, inherited }: AccountSettings) {
  const { words, say } = useLocale(accountSettingsWords);
  return (
    <FormPage
      title={words.terms.limits}
      lead={say.lead}
      above={{ title: name, href: `/accounts/${id}` }}
      errors={errors}
    >
      <input type="hidden" name="opened" value={opened} />
      <div class="form-group form-columns form-columns-2">
        <DeclaredFields table={accountFields} said={words.fields.account} {...{ texts, errors, inherited }} />
      </div>
      <div class="form-group form-columns form-columns-2">
        <DeclaredFields table={quotaFields} said={say.quotas} {...{ texts, errors }} />
      </div>
    </FormPage>
  );
}
