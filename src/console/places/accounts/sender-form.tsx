/** The form of a sender: its number or name, its routing plan, and its own routes in order. */
import { pick } from "../../../fields/field.ts";
import { senderFields } from "../../../fields/sender.ts";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { controlsOf, type FieldErrors, type Option, SelectField, TextField } from "../../components/forms.tsx";
import { isListed } from "../../components/listed-field.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { senderWords } from "./words.ts";

export interface TypedSender {
  /** `plan`: empty for none. */
  texts: { sender: string; plan: string };
  /** Routes, in order. */
  chosen: readonly string[];
}

export interface RouteOption {
  name: string;
  state: "up" | "down" | "off";
}

interface SenderForm extends TypedSender {
  account: { id: string; name: string };
  /** Null for a new sender; `isOfAll`: the form was opened from the list of all senders, and returns there. */
  changed: { isOfAll: boolean } | null;
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

export function SenderFormPage(form: SenderForm) {
  const { account, changed, texts, errors } = form;
  const { words, say } = useLocale(senderWords);
  const path = `/accounts/${account.id}`;
  const isOfAll = changed?.isOfAll === true;
  const above = isOfAll ? { title: say.all, href: "/senders" } : { title: account.name, href: path };
  const page =
    changed === null
      ? { title: say.create, lead: say.createLead(account.name), action: `${path}/senders`, submit: say.add }
      : { title: say.routesOf(texts.sender), lead: account.name, action: `${path}/senders/routes` };
  const said = { sender: { label: say.sender, hint: say.senderHint } };
  return (
    <FormPage {...page} above={above} errors={errors} cancel={words.actions.cancel}>
      {changed === null ? (
        <div class="form-group form">
          <DeclaredFields table={pick(senderFields, "sender")} {...{ said, texts, errors }} />
        </div>
      ) : (
        <input type="hidden" name="sender" value={texts.sender} />
      )}
      {isOfAll ? <input type="hidden" name="of" value="all" /> : null}
      <RouteFields {...form} />
    </FormPage>
  );
}

function RouteFields({ texts, chosen, errors, routes, plans, defaultRoute }: SenderForm) {
  const { words, format, say } = useLocale(senderWords);
  const shown = Math.min(routesMax, Math.max(routesShown, chosen.length + 1));
  const plan = { ...controlsOf(texts, errors)("plan"), label: say.plan, hint: say.planHint };
  const planOptions = [{ value: "", label: say.noPlan }, ...plans.map((name) => ({ value: name, label: name }))];
  return (
    <div class="form-group form">
      <div class="form-group-head">
        <h2>{words.places.routes}</h2>
        <p class="muted">{say.routesLead}</p>
      </div>
      {Array.from({ length: shown }, (_, index) => (
        <RouteField
          key={routeField(index)}
          name={routeField(index)}
          label={index === 0 ? say.first : say.further(format.plain(index + 1))}
          error={errors[routeField(index)]}
          value={chosen[index] ?? ""}
          empty={index === 0 ? say.byDefault(defaultRoute) : say.none}
          routes={routes}
          optional={index > 0}
        />
      ))}
      {plans.length === 0 ? null : <SelectField {...plan} options={planOptions} optional />}
    </div>
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
  const say = useWords(senderWords);
  const { value } = field;
  const named = routes.map(({ name, state }): Option => ({ value: name, label: say.routeOption[state](name) }));
  const gone = value === "" || routes.some(({ name }) => name === value) ? [] : [{ value, label: value }];
  const options = [{ value: "", label: empty }, ...named, ...gone];
  if (isListed(options)) return <SelectField {...field} options={options} />;
  return <TextField {...field} hint={say.typed} script="code" choices="routes" />;
}
