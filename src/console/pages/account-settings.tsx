/** What an account may do, and when: everything that its rows of settings hold, in one form. */
import { suppressionScopes } from "../../domain/suppression.ts";
import { ErrorSummary, type FieldErrors, SelectField, TextArea, TextField } from "../components/forms.tsx";
import { Code } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { PostForm } from "../components/post-form.tsx";
import { useLocale } from "../locale.ts";

/** As they are typed; empty for what the service's settings say. */
export interface AccountSettingsFields {
  name: string;
  defaultSender: string;
  timeZone: string;
  /** Codes with spaces between; `all` for every country. */
  countries: string;
  /** A window a line; `none` for none. */
  quietHours: string;
  suppression: string;
  /** Parts; empty for no quota. */
  day: string;
  month: string;
}

export interface AccountSettingsView {
  id: string;
  accountName: string;
  fields: AccountSettingsFields;
  errors: FieldErrors;
  /** See `openedWith`. */
  opened: string;
}

/** What is expected, and how it is written: the same in every language. */
function example(hint: string, ...written: string[]) {
  return (
    <>
      {hint}{" "}
      {written.map((one, index) => (
        <span key={one}>
          {index === 0 ? null : " · "}
          <Code>{one}</Code>
        </span>
      ))}
    </>
  );
}

export function AccountSettingsPage({ shell, view }: { shell: Shell; view: AccountSettingsView }) {
  const { words } = useLocale();
  const say = words.accountSettings;
  const { id, accountName, fields, errors, opened } = view;
  const path = `/accounts/${id}`;
  return (
    <PageLayout shell={shell} title={say.title} above={{ title: accountName, href: path }} lead={say.lead}>
      <PostForm class="card form" action={`${path}/settings`}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="opened" value={opened} />
        <TextField name="name" label={say.name} error={errors.name} value={fields.name} size="medium" />
        <TextField
          name="defaultSender"
          label={say.defaultSender}
          hint={say.defaultSenderHint}
          error={errors.defaultSender}
          value={fields.defaultSender}
          size="short"
          script="digits"
          optional
        />
        <TextField
          name="timeZone"
          label={say.timeZone}
          hint={example(say.timeZoneHint, "Asia/Tehran")}
          error={errors.timeZone}
          value={fields.timeZone}
          size="medium"
          script="code"
          optional
        />
        <TextField
          name="countries"
          label={say.countries}
          hint={example(say.countriesHint, "IR AE", "all")}
          error={errors.countries}
          value={fields.countries}
          size="medium"
          script="code"
          optional
        />
        <Quotas fields={fields} errors={errors} />
        <TextArea
          name="quietHours"
          label={say.quietHours}
          hint={example(say.quietHoursHint, "22:00-08:00", "13:00-16:00 Thu Fri", "none")}
          error={errors.quietHours}
          value={fields.quietHours}
          rows={3}
          script="code"
        />
        <SelectField
          name="suppression"
          label={say.suppression}
          hint={say.suppressionHint}
          value={fields.suppression}
          options={suppressionScopes.map((value) => ({ value, label: say.scopes[value] }))}
        />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {words.actions.save}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}

function Quotas({ fields, errors }: Pick<AccountSettingsView, "fields" | "errors">) {
  const { words } = useLocale();
  const say = words.accountSettings;
  return (
    <div class="form-row">
      <TextField
        name="day"
        label={say.day}
        hint={say.quotaHint}
        error={errors.day}
        value={fields.day}
        inputMode="numeric"
        script="digits"
        optional
      />
      <TextField
        name="month"
        label={say.month}
        hint={say.quotaHint}
        error={errors.month}
        value={fields.month}
        inputMode="numeric"
        script="digits"
        optional
      />
    </div>
  );
}
