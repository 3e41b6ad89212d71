/** The form of a carrier, new or changed, with its connection test beside it. */
import type { VNode } from "preact";
import { SubmitButton } from "../../components/buttons.tsx";
import { withExamples } from "../../components/declared-fields.tsx";
import { FormFoot } from "../../components/form-page.tsx";
import {
  Choice,
  ErrorSummary,
  type FieldErrors,
  FormFold,
  PasswordField,
  SelectField,
  TextArea,
  TextField,
} from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Language } from "../../language.ts";
import { useLocale, useWords } from "../../locale.ts";
import { actionOf, type CarrierView, carrierFormId, routeHref } from "./carrier-data.ts";
import { type CarrierGroup, carrierGroups, carrierTable, controlName } from "./carrier-fields.ts";
import { CarrierTiles } from "./carrier-tiles.tsx";
import { CarrierTrial } from "./carrier-trial.tsx";
import { carrierWords } from "./carrier-words.ts";
import { routesWords } from "./words.ts";

export function CarrierPage({ view }: { view: CarrierView }) {
  const { words, say } = useLocale(carrierWords);
  const { changed } = view;
  const above =
    changed === null
      ? { title: words.places.routes, href: "/routes" }
      : { title: changed.name, href: routeHref(changed.name) };
  return (
    <PageLayout
      title={changed === null ? say.create : say.change(changed.name)}
      lead={changed === null ? say.lead : say.changeLead}
      above={above}
    >
      <CarrierCards
        view={view}
        foot={
          <FormFoot submit={say.save} back={above.href} cancel={say.cancel} note={changed === null ? say.next : null} />
        }
      />
    </PageLayout>
  );
}

/** The form and its test. */
export function CarrierCards({ view, foot }: { view: CarrierView; foot: VNode }) {
  const { language } = useLocale();
  const { changed } = view;
  return (
    <div class="with-aside">
      <div class="card card-form-page">
        {changed === null ? <CarrierTiles carrier={view.carrier} at={view.newAt} /> : null}
        <PostForm id={carrierFormId} action={actionOf(view)}>
          <ErrorSummary errors={namedErrors(view, language)} />
          <input type="hidden" name="carrier" value={view.carrier} />
          <input type="hidden" name="rest" value={JSON.stringify(view.form.rest)} />
          {changed === null ? null : <input type="hidden" name="opened" value={changed.opened} />}
          {carrierGroups(view.carrier).map((group, index) => (
            <Group
              key={group.name}
              group={{ ...group, isFolded: group.isFolded || (view.isShort && index > 0) }}
              view={view}
            />
          ))}
          {changed === null ? <RouteName view={view} /> : null}
          {view.carrier === "simulator" ? (
            <p class="form-group muted">{routesWords[language].simulatorNote}</p>
          ) : (
            <Advanced view={view} />
          )}
          {foot}
        </PostForm>
      </div>
      <aside class="aside">
        <CarrierTrial view={view} />
      </aside>
    </div>
  );
}

function Group({ group, view }: { group: CarrierGroup; view: CarrierView }) {
  const say = useWords(carrierWords);
  const groups: Readonly<Record<string, { title: string; note: string }>> = say.groups;
  const { title, note } = groups[group.name] ?? { title: group.name, note: "" };
  const rows = group.rows.map((keys) => (
    <div key={keys.join(" ")} class={keys.length === 1 ? "" : `form-columns form-columns-${keys.length}`}>
      {keys.map((key) => (
        <CarrierControl key={key} name={key} view={view} />
      ))}
    </div>
  ));
  const isWrong = group.rows.flat().some((key) => view.errors[controlName(key)] !== undefined);
  if (group.isFolded) {
    return (
      <FormFold title={title} note={note} isOpen={isWrong}>
        {rows}
      </FormFold>
    );
  }
  return (
    <section class="form-group form">
      <div class="form-group-head">
        <h2>{title}</h2>
        {note === "" ? null : <p class="muted">{note}</p>}
      </div>
      {rows}
    </section>
  );
}

function CarrierControl({ name: key, view }: { name: string; view: CarrierView }) {
  const { say } = useLocale(carrierWords);
  const declared = carrierTable(view.carrier)[key];
  if (declared === undefined) return null;
  const fields: Readonly<Record<string, { label: string; hint?: string }>> = say.fields;
  const { label, hint } = fields[key] ?? declared;
  const name = controlName(key);
  const value = view.form.texts[key] ?? "";
  const optional = declared.kind !== "choice" && declared.isRequired !== true;
  const field = { name, label, error: view.errors[name], optional, ...(hint !== undefined && { hint }) };
  const [example] = declared.examples ?? [];
  const placeholder = example === undefined ? {} : { placeholder: example };
  switch (declared.kind) {
    case "secret": {
      const isStored = view.changed?.hasSecrets === true && !optional;
      const isAgain = view.trial !== null || Object.keys(view.errors).length > 0;
      const shown = isStored ? { hint: say.storedHint, placeholder: say.stored } : {};
      return <PasswordField {...field} {...shown} isAgain={isAgain} autocomplete="new-password" />;
    }
    case "choice":
      return (
        <SelectField
          {...field}
          value={value === "" ? (declared.words[0] ?? "") : value}
          options={declared.words.map((word) => ({ value: word, label: say.options[word] ?? word }))}
        />
      );
    case "truth":
      return <Choice name={name} value="yes" checked={value === "yes"} label={label} />;
    case "list":
      return <TextArea {...field} value={value} rows={3} script="code" />;
    case "json":
      return (
        <TextArea {...field} hint={withExamples(hint, declared.examples ?? [])} value={value} rows={2} script="code" />
      );
    case "number":
      return <TextField {...field} {...placeholder} value={value} inputMode="numeric" script="digits" />;
    default:
      return <TextField {...field} {...placeholder} value={value} script="code" />;
  }
}

function RouteName({ view: { name, errors } }: { view: CarrierView }) {
  const say = useWords(carrierWords);
  return (
    <section class="form-group form">
      <TextField name="name" label={say.name} hint={say.nameHint} error={errors.name} value={name} script="code" />
    </section>
  );
}

/** The whole file; for a new route, the button takes the form's values along. */
function Advanced({ view }: { view: CarrierView }) {
  const say = useWords(carrierWords);
  return (
    <div class="form-fold">
      <div class="form-fold-line">
        <span class="form-fold-title">{say.advanced}</span>
        <span class="form-fold-note">{say.advancedNote(Object.keys(view.form.rest).join(", "))}</span>
        <SubmitButton look="quiet small" name="do" value="json" label={say.open} />
      </div>
    </div>
  );
}

/** In the error summary, each error says which field it is about. */
function namedErrors({ errors }: CarrierView, language: Language): FieldErrors {
  const { fields, name: routeName } = carrierWords[language];
  const labels = new Map(Object.entries(fields).map(([key, { label }]) => [key.replace(".", "-"), label]));
  return Object.fromEntries(
    Object.entries(errors).map(([name, error]) => {
      const label = name === "name" ? routeName : labels.get(name);
      return [name, label === undefined ? error : `${label}: ${error}`];
    }),
  );
}
