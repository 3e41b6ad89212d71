/** What an account may do, and when: all its settings in one form. */
import { accountFields } from "../../../fields/account.ts";
import type { FieldTexts } from "../../../fields/field.ts";
import { quotaFields } from "../../../fields/quota.ts";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FieldErrors } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { accountSettingsWords } from "./words.ts";

/** As typed; empty means the service's settings apply. */
export type AccountSettingsFields = FieldTexts<typeof accountFields & typeof quotaFields>;

export interface AccountSettingsView {
  id: string;
  accountName: string;
  fields: AccountSettingsFields;
  errors: FieldErrors;
  /** See `openedWith`. */
  opened: string;
  inherited: ServiceDefaults["account"];
}

export function AccountSettingsPage({ shell, view }: { shell: Shell; view: AccountSettingsView }) {
  const { language, words } = useLocale();
  const say = accountSettingsWords[language];
  const { id, accountName, fields, errors, opened, inherited } = view;
  const path = `/accounts/${id}`;
  return (
    <PageLayout shell={shell} title={say.title} above={{ title: accountName, href: path }} lead={say.lead}>
      <PostForm class="card card-form-page" action={`${path}/settings`}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="opened" value={opened} />
        <div class="form-group form-columns form-columns-2">
          <DeclaredFields table={accountFields} said={words.fields.account} texts={fields} {...{ errors, inherited }} />
        </div>
        <div class="form-group form-columns form-columns-2">
          <DeclaredFields table={quotaFields} said={say.quotas} texts={fields} errors={errors} />
        </div>
        <p class="form-foot">
          <button type="submit" class="button button-primary">
            {words.actions.save}
          </button>
          <a class="button button-quiet" href={path}>
            {words.actions.back}
          </a>
        </p>
      </PostForm>
    </PageLayout>
  );
}
