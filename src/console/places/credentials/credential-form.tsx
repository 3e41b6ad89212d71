/** The forms that create a credential and change one: the rate, and the options of its protocol. */

import { credentialKinds, trafficKinds } from "../../../domain/credential.ts";
import { intakePresetNames, presetTitle } from "../../../domain/intake/intake-presets.ts";
import {
  credentialFields,
  dropInCredentialFields,
  kannelCredentialFields,
  smppCredentialFields,
  smtpCredentialFields,
} from "../../../fields/credential.ts";
import { controlNames, type FieldTable } from "../../../fields/field.ts";
import type { CredentialLimitsAnswer } from "../../../operator/answers.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import {
  controlsOf,
  type FieldErrors,
  FormFold,
  type Option,
  PasswordField,
  SelectField,
  TextField,
} from "../../components/forms.tsx";
import { isListed } from "../../components/listed-field.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { CredentialTexts, OptionTexts } from "./credential-input.ts";
import { kindNames } from "./credentials.tsx";
import { credentialsWords } from "./words.ts";

/** Whether something is wrong with one of the controls of these fields. */
const isWrong = (errors: FieldErrors, table: FieldTable): boolean =>
  Object.entries(table).some(([name, field]) => controlNames(name, field).some((one) => errors[one] !== undefined));

interface OptionFields {
  texts: OptionTexts;
  errors: FieldErrors;
  /** Of a credential that exists. */
  limits?: CredentialLimitsAnswer | undefined;
}

const picked = (all: Readonly<Record<string, string>>, wanted: readonly string[]): Option[] =>
  wanted.map((value) => ({ value, label: all[value] ?? value }));

function RateField(fields: OptionFields) {
  return <DeclaredFields table={credentialFields} said={useWords(credentialsWords).shared} {...fields} />;
}

function SmppFields(fields: OptionFields) {
  const say = useWords(credentialsWords);
  const tag = { label: say.repeatsTag, hint: say.repeatsTagHint };
  const said = {
    ...say.smpp,
    messageIds: { ...say.smpp.messageIds, choices: say.idForms },
    repeats: { ...say.smpp.repeats, choices: say.repeatsForms, second: tag },
  };
  return <DeclaredFields table={smppCredentialFields} said={said} {...fields} />;
}

function DropInFields(fields: OptionFields) {
  const say = useWords(credentialsWords);
  const { callbackOrigins: _, ...own } = dropInCredentialFields;
  const key = { choices: say.keyPlaces, none: say.keyHeaderOnly, second: { label: say.requestKeyName } };
  const said = { ...say.dropIn, requestKey: { ...say.dropIn.requestKey, ...key } };
  // Only an operator lists origins inside the network.
  return <DeclaredFields table={useIsCustomer() ? own : dropInCredentialFields} said={said} {...fields} />;
}

function KannelFields(fields: OptionFields) {
  return <DeclaredFields table={kannelCredentialFields} said={useWords(credentialsWords).kannel} {...fields} />;
}

function MailFields(fields: OptionFields) {
  return <DeclaredFields table={smtpCredentialFields} said={useWords(credentialsWords).mail} {...fields} />;
}

interface NewCredential {
  texts: CredentialTexts;
  errors: FieldErrors;
  /** Those to choose from, if they can be listed. */
  keys: readonly Option[];
}

export function CredentialFormPage({ texts, errors, keys }: NewCredential) {
  const { words, say, language } = useLocale(credentialsWords);
  const isCustomer = useIsCustomer();
  const control = controlsOf(texts, errors);
  const isDropIn = texts.kind !== "smpp" || errors.password !== undefined || isWrong(errors, dropInCredentialFields);
  const key = { label: words.terms.key, ...control("key") };
  const name = { label: words.terms.name, hint: isCustomer ? say.customerNameHint : say.nameHint, ...control("name") };
  const traffics = [{ value: "", label: "–" }, ...picked(say.traffics, trafficKinds)];
  const programs = Object.fromEntries(intakePresetNames.map((one) => [one, presetTitle(one, language)]));
  const presets = [{ value: "", label: "–" }, ...picked(programs, intakePresetNames)];
  const password = { name: "password", label: words.terms.password, hint: say.passwordHint, error: errors.password };
  const above = { title: words.places.credentials, href: "/credentials" };
  return (
    <FormPage title={say.create} above={above} errors={errors} submit={say.make}>
      <section class="form-group form-columns form-columns-2">
        {isCustomer || isListed(keys) ? (
          <SelectField {...key} options={keys} />
        ) : (
          <TextField {...key} hint={say.keyHint} script="code" placeholder="key_1" choices="keys" />
        )}
        <SelectField label={say.kind} {...control("kind")} options={picked(kindNames, credentialKinds)} />
        <TextField {...name} script="code" optional />
        <SelectField label={say.traffic} hint={say.trafficHint} {...control("traffic")} options={traffics} />
        <RateField {...{ texts, errors }} />
      </section>
      <FormFold title={say.intakeFold} note={say.intakeNote} isOpen={texts.kind === "intake" || texts.preset !== ""}>
        <SelectField label={say.preset} hint={say.presetHint} {...control("preset")} options={presets} script="code" />
        <TextField label={say.fixedTo} hint={say.fixedToHint} {...control("fixedTo")} script="code" optional />
      </FormFold>
      <FormFold title="SMPP" note={say.smppNote} isOpen={isWrong(errors, smppCredentialFields)}>
        <SmppFields {...{ texts, errors }} />
      </FormFold>
      <FormFold title="Kannel, Jasmin" note={say.dropInNote} isOpen={isDropIn}>
        <PasswordField {...password} isAgain={Object.keys(errors).length > 0} autocomplete="new-password" optional />
        <DropInFields {...{ texts, errors }} />
      </FormFold>
      <FormFold title="Kannel" note={say.kannelNote} isOpen={isWrong(errors, kannelCredentialFields)}>
        <KannelFields {...{ texts, errors }} />
      </FormFold>
      <FormFold title="SMTP" note={say.mailNote} isOpen={isWrong(errors, smtpCredentialFields)}>
        <MailFields {...{ texts, errors }} />
      </FormFold>
    </FormPage>
  );
}

export function CredentialChangePage(props: CredentialAnswer & OptionFields) {
  const { id, name, kind, texts, errors, limits } = props;
  const say = useWords(credentialsWords);
  return (
    <FormPage title={say.changeOf(name)} above={{ title: name, href: `/credentials/${id}` }} errors={errors}>
      <section class="form-group form">
        <RateField {...{ texts, errors, limits }} />
        {kind === "smpp" ? <SmppFields {...{ texts, errors, limits }} /> : null}
        {kind === "kannel" || kind === "jasmin" ? <DropInFields {...{ texts, errors }} /> : null}
        {kind === "kannel" ? <KannelFields {...{ texts, errors }} /> : null}
        {kind === "smtp" ? <MailFields {...{ texts, errors }} /> : null}
      </section>
    </FormPage>
  );
}
