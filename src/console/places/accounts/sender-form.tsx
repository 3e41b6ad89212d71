/** The form of a sender: its number or name, its routing plan, and its own routes in order. */
import { ErrorSummary, type FieldErrors, type Option, SelectField, TextField } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { isListed } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { senderWords } from "./words.ts";

/** As chosen in the form. */
export interface SenderFields {
  sender: string;
  /** Names, in order. */
  routes: readonly string[];
  /** Empty for none. */
  plan: string;
}

export interface RouteOption {
  name: string;
  state: "up" | "down" | "off";
}

export interface SenderFormView {
  account: { id: string; name: string };
  /** Null for a new sender; `isOfAll`: the form was opened from the list of all senders, and returns there. */
  changed: { isOfAll: boolean } | null;
  fields: SenderFields;
  errors: FieldErrors;
  /** Those that carry messages. */
  routes: readonly RouteOption[];
  /** Names. */
  plans: readonly string[];
  /** The route for senders without one of their own. */
  defaultRoute: string;
}

/** Per sender. */
export const routesMax = 16;
const routesShown = 3;

export const routeField = (index: number): string => (index === 0 ? "routes" : `routes-${index}`);

export function SenderFormPage({ shell, view }: { shell: Shell; view: SenderFormView }) {
  const { language, words } = useLocale();
  const { account, changed, fields, errors } = view;
  const say = senderWords[language];
  const path = `/accounts/${account.id}`;
  const isOfAll = changed?.isOfAll === true;
  const above = isOfAll ? { title: say.all, href: "/senders" } : { title: account.name, href: path };
  return (
    <PageLayout
      shell={shell}
      title={changed === null ? say.create : say.routesOf(fields.sender)}
      above={above}
      lead={changed === null ? say.createLead(account.name) : account.name}
    >
      <PostForm class="card card-form-page" action={changed === null ? `${path}/senders` : `${path}/senders/routes`}>
        <ErrorSummary errors={errors} />
        {changed === null ? <SenderName view={view} /> : <input type="hidden" name="sender" value={fields.sender} />}
        {isOfAll ? <input type="hidden" name="of" value="all" /> : null}
        <RouteFields view={view} />
        <p class="form-foot">
          <button type="submit" class="button button-primary">
            {changed === null ? say.add : words.actions.save}
          </button>
          <a class="button button-quiet" href={above.href}>
            {say.cancel}
          </a>
        </p>
      </PostForm>
    </PageLayout>
  );
}

function SenderName({ view: { fields, errors } }: { view: SenderFormView }) {
  const say = senderWords[useLocale().language];
  return (
    <div class="form-group form">
      <TextField
        name="sender"
        label={say.sender}
        hint={say.senderHint}
        error={errors.sender}
        value={fields.sender}
        size="medium"
        script="digits"
      />
    </div>
  );
}

function RouteFields({ view }: { view: SenderFormView }) {
  const { language, format } = useLocale();
  const say = senderWords[language];
  const { fields, errors, plans } = view;
  const shown = Math.min(routesMax, Math.max(routesShown, fields.routes.length + 1));
  return (
    <div class="form-group form">
      <div class="form-group-head">
        <h2>{say.routes}</h2>
        <p class="muted">{say.routesLead}</p>
      </div>
      {Array.from({ length: shown }, (_, index) => (
        <SenderRouteField
          key={routeField(index)}
          view={view}
          index={index}
          label={index === 0 ? say.first : say.further(format.plain(index + 1))}
        />
      ))}
      {plans.length === 0 ? null : (
        <SelectField
          name="plan"
          label={say.plan}
          hint={say.planHint}
          error={errors.plan}
          value={fields.plan}
          options={[{ value: "", label: say.noPlan }, ...plans.map((name) => ({ value: name, label: name }))]}
          optional
        />
      )}
    </div>
  );
}

function SenderRouteField({ view, index, label }: { view: SenderFormView; index: number; label: string }) {
  const say = senderWords[useLocale().language];
  const { fields, errors, routes, defaultRoute } = view;
  const name = routeField(index);
  return (
    <RouteField
      name={name}
      label={label}
      error={errors[name]}
      value={fields.routes[index] ?? ""}
      empty={index === 0 ? say.byDefault(defaultRoute) : say.none}
      routes={routes}
      optional={index > 0}
    />
  );
}

interface RouteFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  /** A route's name; empty for none. */
  value: string;
  /** What it means to choose none. */
  empty: string;
  routes: readonly RouteOption[];
  optional: boolean;
}

/** A list to choose from; if there are too many routes for one, a text field for the name. */
export function RouteField({ empty, routes, ...field }: RouteFieldProps) {
  const say = senderWords[useLocale().language];
  const { value } = field;
  const named = routes.map(({ name, state }): Option => ({ value: name, label: say.routeOption[state](name) }));
  const gone = value === "" || routes.some(({ name }) => name === value) ? [] : [{ value, label: value }];
  const options = [{ value: "", label: empty }, ...named, ...gone];
  if (isListed(options)) return <SelectField {...field} options={options} />;
  return <TextField {...field} hint={say.typed} script="code" />;
}
