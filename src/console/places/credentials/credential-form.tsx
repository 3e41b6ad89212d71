/** The forms that create a credential and change one: the rate, and the options of its protocol. */
import type { CredentialKind } from "../../../domain/credential.ts";
import { kannelCredentialFields, smppCredentialFields } from "../../../domain/declared-fields.ts";
import { dropInLimits, requestKeyPlaces } from "../../../domain/drop-in-credential.ts";
import type { FieldTexts } from "../../../domain/field.ts";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import {
  Choice,
  ErrorSummary,
  type FieldErrors,
  FormFold,
  type Option,
  PasswordField,
  SelectField,
  TextArea,
  TextField,
} from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { isListed } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { kindNames } from "./credentials.tsx";
import { credentialsWords } from "./words.ts";

/** The kinds that the form can create: an intake needs a template. */
export const formKinds = ["smpp", "kannel", "jasmin"] as const;
export const formTraffics = ["bulk", "single"] as const;
export const repeatsForms = ["off", "reference", "tlv"] as const;

/** As typed, by the names of the operator API's fields where it has them. */
export interface OptionTexts
  extends FieldTexts<typeof smppCredentialFields>,
    FieldTexts<typeof kannelCredentialFields> {
  rate: string;
  /** One of `repeatsForms`; `repeatsTag` is the TLV's tag. */
  repeats: string;
  repeatsTag: string;
  /** One a line. */
  callbackOrigins: string;
  /** Where the key is, or empty; `requestKeyName` is the field's name. */
  requestKey: string;
  requestKeyName: string;
  requestKeySeconds: string;
  requestKeyFreeAfterFailure: string;
}

export interface CredentialTexts extends OptionTexts {
  key: string;
  kind: string;
  name: string;
  traffic: string;
}

/** The fields of each fold. */
const smppOptions = [...Object.keys(smppCredentialFields), "repeats", "repeatsTag"];
const dropInOptions = ["password", "callbackOrigins", "requestKey", "requestKeySeconds", "requestKeyFreeAfterFailure"];
const kannelOptions = Object.keys(kannelCredentialFields);

interface OptionFieldsProps {
  texts: OptionTexts;
  errors: FieldErrors;
  /** Only an operator lists origins inside the network. */
  isCustomer: boolean;
}

const number = { script: "digits", size: "short", inputMode: "numeric", optional: true } as const;

const picked = (all: Readonly<Record<string, string>>, wanted: readonly string[]): Option[] =>
  wanted.map((value) => ({ value, label: all[value] ?? value }));

const fieldOf = <Texts extends OptionTexts>(texts: Texts, errors: FieldErrors) =>
  function field<Name extends keyof Texts & string>(name: Name) {
    return { name, value: texts[name], error: errors[name] };
  };

function RateField({ texts, errors }: OptionFieldsProps) {
  const say = credentialsWords[useLocale().language];
  return <TextField label={say.rate} hint={say.rateHint} {...fieldOf(texts, errors)("rate")} {...number} />;
}

function SmppFields({ texts, errors }: OptionFieldsProps) {
  const say = credentialsWords[useLocale().language];
  const field = fieldOf(texts, errors);
  const said = { ...say.smpp, messageIds: { ...say.smpp.messageIds, choices: say.idForms } };
  return (
    <>
      <div class="form-columns form-columns-2">
        <DeclaredFields table={smppCredentialFields} said={said} texts={{ ...texts }} errors={errors} />
      </div>
      <SelectField
        label={say.repeats}
        hint={say.repeatsHint}
        {...field("repeats")}
        options={picked(say.repeatsForms, repeatsForms)}
      />
      <TextField
        label={say.repeatsTag}
        hint={say.repeatsTagHint}
        {...field("repeatsTag")}
        script="code"
        size="medium"
        placeholder="0x1400–0x3fff"
        optional
      />
    </>
  );
}

function DropInFields({ texts, errors, isCustomer, hasPassword }: OptionFieldsProps & { hasPassword: boolean }) {
  const say = credentialsWords[useLocale().language];
  const field = fieldOf(texts, errors);
  const { error } = field("requestKey");
  return (
    <>
      {hasPassword ? (
        <PasswordField
          label={say.password}
          hint={say.passwordHint}
          name="password"
          error={errors.password}
          autocomplete="new-password"
          size="medium"
          optional
        />
      ) : null}
      {isCustomer ? null : (
        <TextArea
          label={say.callbackOrigins}
          hint={say.callbackOriginsHint}
          {...field("callbackOrigins")}
          script="code"
          rows={3}
          optional
        />
      )}
      <SelectField
        label={say.requestKey}
        hint={say.requestKeyHint}
        {...field("requestKey")}
        options={[{ value: "", label: say.keyHeaderOnly }, ...picked(say.keyPlaces, requestKeyPlaces)]}
      />
      <div class="form-columns form-columns-2">
        <TextField
          label={say.requestKeyName}
          {...field("requestKeyName")}
          error={error}
          script="code"
          placeholder="metadata.uuid"
          optional
        />
        <TextField
          label={say.requestKeySeconds}
          {...field("requestKeySeconds")}
          {...number}
          placeholder={`1–${dropInLimits.keySecondsMax}`}
        />
      </div>
      <Choice
        name="requestKeyFreeAfterFailure"
        value="yes"
        checked={texts.requestKeyFreeAfterFailure === "yes"}
        label={say.keyFree}
      />
    </>
  );
}

function KannelFields({ texts, errors }: OptionFieldsProps) {
  const said = credentialsWords[useLocale().language].kannel;
  return (
    <div class="form-columns form-columns-2">
      <DeclaredFields table={kannelCredentialFields} said={said} texts={{ ...texts }} errors={errors} />
    </div>
  );
}

export interface CredentialFormView {
  texts: CredentialTexts;
  errors: FieldErrors;
  /** Those to choose from, if they can be listed. */
  keys: readonly Option[];
  isCustomer: boolean;
}

export function CredentialFormPage({ shell, view }: { shell: Shell; view: CredentialFormView }) {
  const { language, words } = useLocale();
  const say = credentialsWords[language];
  const { texts, errors, keys, isCustomer } = view;
  const field = fieldOf(texts, errors);
  const options = { texts, errors, isCustomer };
  const has = (names: readonly string[]) => names.some((name) => errors[name] !== undefined);
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.credentials, href: "/credentials" }}>
      <PostForm class="card card-form-page" action="/credentials/new">
        <ErrorSummary errors={errors} />
        <section class="form-group form-columns form-columns-2">
          {isCustomer || isListed(keys) ? (
            <SelectField label={say.key} {...field("key")} options={keys} />
          ) : (
            <TextField
              label={say.key}
              hint={say.keyHint}
              {...field("key")}
              script="code"
              size="medium"
              placeholder="key_1"
            />
          )}
          <SelectField label={say.kind} {...field("kind")} options={picked(kindNames, formKinds)} />
          <TextField
            label={say.name}
            hint={isCustomer ? say.customerNameHint : say.nameHint}
            {...field("name")}
            script="code"
            size="medium"
            optional
          />
          <SelectField
            label={say.traffic}
            hint={say.trafficHint}
            {...field("traffic")}
            options={[{ value: "", label: "–" }, ...picked(say.traffics, formTraffics)]}
          />
          <RateField {...options} />
        </section>
        <FormFold title="SMPP" note={say.smppNote} isOpen={has(smppOptions)}>
          <SmppFields {...options} />
        </FormFold>
        <FormFold title="Kannel, Jasmin" note={say.dropInNote} isOpen={texts.kind !== "smpp" || has(dropInOptions)}>
          <DropInFields {...options} hasPassword />
        </FormFold>
        <FormFold title="Kannel" note={say.kannelNote} isOpen={has(kannelOptions)}>
          <KannelFields {...options} />
        </FormFold>
        <p class="form-foot">
          <button type="submit" class="button button-primary">
            {say.make}
          </button>
          <a class="button button-quiet" href="/credentials">
            {words.actions.back}
          </a>
        </p>
      </PostForm>
    </PageLayout>
  );
}

export interface CredentialChangeView extends OptionFieldsProps {
  id: string;
  name: string;
  kind: CredentialKind;
}

export function CredentialChangePage({ shell, view }: { shell: Shell; view: CredentialChangeView }) {
  const { language, words } = useLocale();
  const say = credentialsWords[language];
  const { id, name, kind, errors } = view;
  return (
    <PageLayout shell={shell} title={say.changeOf(name)} above={{ title: name, href: `/credentials/${id}` }}>
      <PostForm class="card card-form-page" action={`/credentials/${id}/change`}>
        <ErrorSummary errors={errors} />
        <section class="form-group form">
          <RateField {...view} />
          {kind === "smpp" ? <SmppFields {...view} /> : null}
          {kind === "kannel" || kind === "jasmin" ? <DropInFields {...view} hasPassword={false} /> : null}
          {kind === "kannel" ? <KannelFields {...view} /> : null}
        </section>
        <p class="form-foot">
          <button type="submit" class="button button-primary">
            {words.actions.save}
          </button>
          <a class="button button-quiet" href={`/credentials/${id}`}>
            {words.actions.back}
          </a>
        </p>
      </PostForm>
    </PageLayout>
  );
}
