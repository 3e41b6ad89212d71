/** The forms that create a credential and change one: the rate, and the options of its protocol. */

import { dropInLimits, requestKeyPlaces } from "../../../domain/drop-in-credential.ts";
import { credentialFields, kannelCredentialFields, smppCredentialFields } from "../../../fields/credential.ts";
import type { CredentialLimitsAnswer } from "../../../operator/answers.ts";
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import {
  Choice,
  controlsOf,
  type FieldErrors,
  FormFold,
  type Option,
  PasswordField,
  SelectField,
  TextArea,
  TextField,
} from "../../components/forms.tsx";
import { isListed } from "../../components/listed-field.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { type CredentialTexts, formKinds, formTraffics, type OptionTexts } from "./credential-input.ts";
import { kindNames } from "./credentials.tsx";
import { credentialsWords } from "./words.ts";

/** The fields of each fold. */
const smppOptions = [...Object.keys(smppCredentialFields), "repeats", "repeatsTag"];
const dropInOptions = ["password", "callbackOrigins", "requestKey", "requestKeySeconds", "requestKeyFreeAfterFailure"];
const kannelOptions = Object.keys(kannelCredentialFields);

interface OptionFields {
  texts: OptionTexts;
  errors: FieldErrors;
  /** Of a credential that exists. */
  limits?: CredentialLimitsAnswer | undefined;
}

const number = { script: "digits", size: "short", inputMode: "numeric", optional: true } as const;

const picked = (all: Readonly<Record<string, string>>, wanted: readonly string[]): Option[] =>
  wanted.map((value) => ({ value, label: all[value] ?? value }));

function RateField({ texts, errors, limits }: OptionFields) {
  const said = useWords(credentialsWords).shared;
  return <DeclaredFields table={credentialFields} {...{ said, texts, errors, limits }} />;
}

function SmppFields({ texts, errors, limits }: OptionFields) {
  const say = useWords(credentialsWords);
  const control = controlsOf(texts, errors);
  const said = { ...say.smpp, messageIds: { ...say.smpp.messageIds, choices: say.idForms } };
  const repeats = {
    label: say.repeats,
    hint: say.repeatsHint,
    options: picked(say.repeatsForms, ["off", "reference", "tlv"]),
  };
  const tag = { label: say.repeatsTag, hint: say.repeatsTagHint, placeholder: "0x1400–0x3fff" };
  return (
    <>
      <div class="form-columns form-columns-2">
        <DeclaredFields table={smppCredentialFields} {...{ said, texts, errors, limits }} />
      </div>
      <SelectField {...repeats} {...control("repeats")} />
      <TextField {...tag} {...control("repeatsTag")} script="code" size="medium" optional />
    </>
  );
}

function DropInFields({ texts, errors }: OptionFields) {
  const say = useWords(credentialsWords);
  const control = controlsOf(texts, errors);
  const { callbackOrigins, requestKeySeconds, requestKeyFreeAfterFailure } = say.dropIn;
  const origins = { ...callbackOrigins, ...control("callbackOrigins") };
  const places = [{ value: "", label: say.keyHeaderOnly }, ...picked(say.keyPlaces, requestKeyPlaces)];
  const name = { ...control("requestKeyName"), error: errors.requestKey, placeholder: "metadata.uuid" };
  const seconds = { ...control("requestKeySeconds"), ...number, placeholder: `1–${dropInLimits.keySecondsMax}` };
  const free = { name: "requestKeyFreeAfterFailure", checked: texts.requestKeyFreeAfterFailure === "yes" };
  return (
    <>
      {/* Only an operator lists origins inside the network. */}
      {useIsCustomer() ? null : <TextArea {...origins} script="code" rows={3} optional />}
      <SelectField label={say.requestKey} hint={say.requestKeyHint} {...control("requestKey")} options={places} />
      <div class="form-columns form-columns-2">
        <TextField label={say.requestKeyName} {...name} script="code" optional />
        <TextField {...requestKeySeconds} {...seconds} />
      </div>
      <Choice {...free} value="yes" {...requestKeyFreeAfterFailure} />
    </>
  );
}

function KannelFields({ texts, errors }: OptionFields) {
  const said = useWords(credentialsWords).kannel;
  return (
    <div class="form-columns form-columns-2">
      <DeclaredFields table={kannelCredentialFields} said={said} texts={texts} errors={errors} />
    </div>
  );
}

interface NewCredential {
  texts: CredentialTexts;
  errors: FieldErrors;
  /** Those to choose from, if they can be listed. */
  keys: readonly Option[];
}

export function CredentialFormPage({ texts, errors, keys }: NewCredential) {
  const { words } = useLocale();
  const say = useWords(credentialsWords);
  const isCustomer = useIsCustomer();
  const control = controlsOf(texts, errors);
  const has = (names: readonly string[]) => names.some((name) => errors[name] !== undefined);
  const key = { label: say.key, ...control("key") };
  const name = { label: say.name, hint: isCustomer ? say.customerNameHint : say.nameHint, ...control("name") };
  const traffics = [{ value: "", label: "–" }, ...picked(say.traffics, formTraffics)];
  const password = { name: "password", label: say.password, hint: say.passwordHint, error: errors.password };
  const above = { title: words.places.credentials, href: "/credentials" };
  return (
    <FormPage title={say.create} above={above} errors={errors} submit={say.make}>
      <section class="form-group form-columns form-columns-2">
        {isCustomer || isListed(keys) ? (
          <SelectField {...key} options={keys} />
        ) : (
          <TextField {...key} hint={say.keyHint} script="code" size="medium" placeholder="key_1" />
        )}
        <SelectField label={say.kind} {...control("kind")} options={picked(kindNames, formKinds)} />
        <TextField {...name} script="code" size="medium" optional />
        <SelectField label={say.traffic} hint={say.trafficHint} {...control("traffic")} options={traffics} />
        <RateField {...{ texts, errors }} />
      </section>
      <FormFold title="SMPP" note={say.smppNote} isOpen={has(smppOptions)}>
        <SmppFields {...{ texts, errors }} />
      </FormFold>
      <FormFold title="Kannel, Jasmin" note={say.dropInNote} isOpen={texts.kind !== "smpp" || has(dropInOptions)}>
        <PasswordField {...password} autocomplete="new-password" size="medium" optional />
        <DropInFields {...{ texts, errors }} />
      </FormFold>
      <FormFold title="Kannel" note={say.kannelNote} isOpen={has(kannelOptions)}>
        <KannelFields {...{ texts, errors }} />
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
      </section>
    </FormPage>
  );
}
