/** A user's own passkeys: their list, and the two steps to a new one. */
import type { PasskeyRow } from "../../../store/passkeys.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { Choice, controlsOf, FieldError, type FieldErrors, PasswordField, TextField } from "../../components/forms.tsx";
import { Code, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { PasskeyButton } from "../sign-in/passkey-button.tsx";
import { passkeyWords } from "../sign-in/passkey-words.ts";
import { secondFactorWords, settingsWords } from "./words.ts";

export const passkeysPath = "/settings/passkeys";
export const passkeysHref = "/settings#passkeys";

export interface PasskeysView {
  passkeys: readonly PasskeyRow[];
  /** The name that new ones are bound to; null if this address allows none. */
  host: string | null;
  /** Names that are not served any more. */
  formerHosts: readonly string[];
  /** Where passkeys work, if they do not here. */
  elsewhere: readonly string[];
}

const uses = ["sign-in", "factor"] as const;

/** On the page of one's settings. */
export function PasskeysCard({ passkeys, host, formerHosts, elsewhere }: PasskeysView) {
  const { words, say } = useLocale(passkeyWords);
  const add =
    host === null ? null : <LinkButton look="small" icon="plus" href={`${passkeysPath}/new`} label={say.add} />;
  const columns: readonly Column<PasskeyRow>[] = [
    { head: words.terms.name, phone: "title", cell: ({ name }) => <bdi>{name}</bdi> },
    {
      head: say.use,
      phone: "word",
      cell: ({ signsIn, host: boundTo }) => (
        <>
          {say.uses[signsIn ? "sign-in" : "factor"]} {boundTo === host ? null : <Code>{boundTo}</Code>}
        </>
      ),
    },
    wordColumn(say.used, ({ usedAt }) => (usedAt === null ? words.terms.never : <Time at={usedAt} as="dayAndClock" />)),
    {
      head: words.actions.remove,
      phone: "line",
      buttons: true,
      cell: ({ id }) => (
        <LinkButton look="quiet small" href={`${passkeysPath}/${id}/remove`} label={words.actions.remove} dialog />
      ),
    },
  ];
  return (
    <Card title={say.title} id="passkeys" actions={add}>
      <p>{say.lead}</p>
      {host === null ? <NotHere elsewhere={elsewhere} /> : null}
      {formerHosts.length === 0 ? null : <Notice tone="warn">{say.former(formerHosts.join(", "))}</Notice>}
      {passkeys.length === 0 ? (
        <p class="muted">{say.none}</p>
      ) : (
        <Records label={say.title} columns={columns} rows={passkeys} keyOf={({ id }) => String(id)} />
      )}
    </Card>
  );
}

function NotHere({ elsewhere }: Pick<PasskeysView, "elsewhere">) {
  const say = useWords(passkeyWords);
  const links = elsewhere.map((origin) => <LinkButton key={origin} href={`${origin}${passkeysHref}`} label={origin} />);
  const setting = elsewhere.length > 0 || useIsCustomer() ? null : <Code>console.url</Code>;
  return (
    <Notice tone="info" action={links}>
      {say.notHere} {links.length > 0 ? say.open : null} {setting === null ? null : say.noPlace} {setting}
    </Notice>
  );
}

interface NewPasskeyView {
  texts: { name: string; use: string };
  errors: FieldErrors;
  hasCodes: boolean;
  /** One that works at this address. */
  hasPasskey: boolean;
}

export function NewPasskeyPage({ texts, errors, hasCodes, hasPasskey }: NewPasskeyView) {
  const { words, say, language } = useLocale(passkeyWords);
  const control = controlsOf(texts, errors);
  return (
    <FormPage
      title={say.add}
      lead={say.lead}
      above={{ title: words.places.settings, href: passkeysHref }}
      errors={errors}
      submit={say.next}
    >
      <div class="form-group form narrow">
        <TextField {...control("name")} label={words.terms.name} hint={say.nameHint} />
        {hasCodes ? (
          <fieldset class="choices">
            <legend>{say.use}</legend>
            {uses.map((use) => (
              <Choice key={use} type="radio" name="use" value={use} checked={texts.use === use} label={say.uses[use]} />
            ))}
          </fieldset>
        ) : (
          <p class="field-hint">{say.codesFirst}</p>
        )}
      </div>
      <div class="form-group form narrow">
        <p>{say.again}</p>
        <PasswordField
          name="password"
          label={settingsWords[language].current}
          error={errors.password}
          autocomplete="current-password"
        />
        {hasCodes ? (
          <TextField
            name="code"
            label={words.terms.code}
            hint={secondFactorWords[language].codeOrRecovery}
            error={errors.code}
            value=""
            autocomplete="one-time-code"
            script="code"
          />
        ) : null}
        {hasPasskey ? (
          <div>
            <PasskeyButton label={say.confirm} ask={`${passkeysPath}/ask`} />
            <FieldError id="field-passkey" error={errors.passkey} />
          </div>
        ) : null}
      </div>
    </FormPage>
  );
}

/** What the browser is asked stands in the page: it was made for who just showed who it is. */
export function CreatePasskeyPage({ name, options }: { name: string; options: string }) {
  const { words, say } = useLocale(passkeyWords);
  return (
    <PageLayout
      title={say.creating(name)}
      lead={say.createLead}
      above={{ title: words.places.settings, href: passkeysHref }}
    >
      <PostForm class="card form narrow" action={passkeysPath}>
        <p data-passkey-without="">{say.without}</p>
        <PasskeyButton label={say.create} ask={options} look="button-primary" />
      </PostForm>
    </PageLayout>
  );
}
