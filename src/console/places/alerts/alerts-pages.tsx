/** Alerts: what is wrong, who is notified, what is silenced; and the receivers' forms. */
import { conditionName, isConditionCode } from "../../../conditions/conditions.ts";
import { type AlertChannelName, alertChannelNames } from "../../../domain/alert-channel.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import type { FieldTable } from "../../../fields/field.ts";
import { emptyTexts, postedTexts, typedValues } from "../../page/declared-form.ts";
import { madePage, type PageCall, redirect } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { AlertsPage, TestedNotice } from "./alerts.tsx";
import { ConditionsPage, SilenceChoice, silenceHours } from "./conditions.tsx";
import { ReceiverPage, ReceiverSecretPage, receiverHref, receiverTables, receiverTexts } from "./receiver-form.tsx";
import { alertsWords } from "./words.ts";

type ReceiverCall = PageCall<{ readonly channel: string }>;

const wordsOf = ({ locale }: PageCall) => alertsWords[locale.language];

function channelOf({ params }: ReceiverCall): AlertChannelName {
  const channel = alertChannelNames.find((name) => name === params.channel);
  if (channel === undefined) throw new OperatorError("no_alert_channel");
  return channel;
}

const textsIn = <Table extends FieldTable>(table: Table, { form }: ReceiverCall) =>
  postedTexts(table, form, emptyTexts(table));

/** Returns the new secret of a webhook; null for any other. */
async function saved(call: ReceiverCall, channel: AlertChannelName): Promise<string | null> {
  const { api, locale } = call;
  const typed = <Table extends FieldTable>(table: Table) => typedValues(table, textsIn(table, call), locale);
  switch (channel) {
    case "webhook":
      return (await api("PUT /alerts/receivers/webhook", typed(receiverTables.webhook))).signingSecret;
    case "mail":
      await api("PUT /alerts/receivers/mail", typed(receiverTables.mail));
      return null;
    case "sms":
      await api("PUT /alerts/receivers/sms", typed(receiverTables.sms));
      return null;
  }
}

/** What the form or the address names. */
function silencedIn(fields: { get(name: string): string | null }) {
  const condition = fields.get("condition") ?? "";
  if (!isConditionCode(condition)) return null;
  const subject = fields.get("subject") ?? "";
  return { condition, ...(subject !== "" && { subject }) };
}

const read = "system.read";
const { shown, question, button } = usualPages("system", { read, change: "system.run" });
const receivers = usualPages("system", { read, change: "system.change" });

const receiverPages = [
  ...receivers.form("/alerts/receivers/:channel", {
    async load(call: ReceiverCall) {
      const channel = channelOf(call);
      const state = (await call.api("GET /alerts/receivers")).find((one) => one.channel === channel);
      if (state === undefined) throw new OperatorError("no_alert_channel");
      return { state, texts: receiverTexts(state, call.locale) };
    },
    typed: (call) => ({ texts: textsIn<FieldTable>(receiverTables[channelOf(call)], call) }),
    View: ReceiverPage,
    async run(call) {
      const channel = channelOf(call);
      const secret = await saved(call, channel);
      // Its receiver does not know the secret yet.
      if (secret !== null) return madePage(<ReceiverSecretPage secret={secret} />, "/alerts");
      if (call.form.text("do") !== "test") return done("/alerts", wordsOf(call).saved[channel]);
      const { results } = await call.api("POST /alerts/test", { channel });
      const hasFailed = results.some(({ failure }) => failure !== null);
      return redirect(hasFailed ? receiverHref(channel) : "/alerts", <TestedNotice results={results} />);
    },
    refusedAt: { route_not_found: "routes" },
  }),
  receivers.button("/alerts/receivers/:channel/end", async (call) => {
    const channel = channelOf(call);
    const off = call.form.text("do") === "off";
    await call.api("DELETE /alerts/receivers/:channel", { channel, off });
    const say = wordsOf(call);
    return done("/alerts", off ? say.isOff[channel] : say.isRemoved[channel]);
  }),
];

const silencing = question("/alerts/silence", {
  ask(call) {
    const named = silencedIn(call.query);
    if (named === null) return redirect("/alerts");
    const { condition, subject } = named;
    const { silencing, silenceIt, nameOf } = wordsOf(call);
    const what = conditionName(condition, call.locale.language);
    const action = `/alerts/silence?${new URLSearchParams(named)}`;
    const words = { ...silencing, doIt: silenceIt };
    const name = subject === undefined ? what : nameOf(what, subject);
    return { words, name, action, back: "/alerts", choices: <SilenceChoice /> };
  },
  async run(call) {
    const named = silencedIn(call.query);
    const hours = silenceHours.find((one) => String(one) === call.form.text("hours"));
    if (named === null || hours === undefined) return redirect("/alerts");
    await call.api("POST /alerts/silences", { ...named, hours });
    return done("/alerts", wordsOf(call).isSilenced);
  },
});

export const alertsPages = [
  shown("/alerts", async ({ api, viewer }) => {
    const [{ receivers: states, ...view }, receivers] = await Promise.all([
      api("GET /alerts"),
      roleMay(viewer.role, "system.change") ? api("GET /alerts/receivers") : null,
    ]);
    return <AlertsPage {...view} states={states} receivers={receivers} />;
  }),
  shown("/alerts/conditions", async ({ api }) => {
    const [conditions, { silences }] = await Promise.all([api("GET /alerts/conditions"), api("GET /alerts")]);
    return <ConditionsPage conditions={conditions} silences={silences} />;
  }),
  button("/alerts/test", async ({ api, form }) => {
    const channel = alertChannelNames.find((name) => name === form.text("channel"));
    const { results } = await api("POST /alerts/test", channel === undefined ? {} : { channel });
    return redirect("/alerts", <TestedNotice results={results} />);
  }),
  ...silencing,
  button("/alerts/silence/end", async (call) => {
    const named = silencedIn({ get: (name) => call.form.text(name) });
    if (named !== null) await call.api("DELETE /alerts/silences", named);
    return done("/alerts", wordsOf(call).isTold);
  }),
  ...receiverPages,
];
