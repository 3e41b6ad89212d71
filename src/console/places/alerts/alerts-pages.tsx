/** Alerts: what is wrong, who is notified, what is silenced; and the receivers' forms. */
import { isConditionCode } from "../../../conditions/conditions.ts";
import { type AlertChannelName, alertChannelNames } from "../../../domain/alert-channel.ts";
import { mailSecurities } from "../../../domain/mail-security.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { cleanInput } from "../../format/input.ts";
import type { FormFields } from "../../forms/form-fields.ts";
import { document, formAgain, madePage, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusalSentence, refusedFields } from "../../page/refusal.ts";
import { AlertsPage, TestedNotice } from "./alerts.tsx";
import { ConditionsPage, silenceHours, silenceQuestion } from "./conditions.tsx";
import { fieldsOf, type ReceiverFields, ReceiverPage, ReceiverSecretPage, receiverHref } from "./receiver-form.tsx";
import { alertsWords } from "./words.ts";

type ReceiverCall = PageCall<{ readonly channel: string }>;

async function list({ api, shell, viewer }: PageCall) {
  const may = { change: roleMay(viewer.role, "system.change"), silence: roleMay(viewer.role, "system.run") };
  const [view, receivers] = await Promise.all([
    api("GET /alerts"),
    may.change ? api("GET /alerts/receivers") : Promise.resolve(null),
  ]);
  return document(<AlertsPage shell={shell("system")} view={view} receivers={receivers} may={may} />);
}

async function conditions({ api, shell, viewer }: PageCall) {
  const [conditions, { silences }] = await Promise.all([api("GET /alerts/conditions"), api("GET /alerts")]);
  const props = { conditions, silences, maySilence: roleMay(viewer.role, "system.run") };
  return document(<ConditionsPage shell={shell("system")} {...props} />);
}

async function test({ api, form }: PageCall) {
  const channel = alertChannelNames.find((name) => name === form.text("channel"));
  const { results } = await api("POST /alerts/test", channel === undefined ? {} : { channel });
  return redirect("/alerts", <TestedNotice results={results} />);
}

function channelOf({ params }: ReceiverCall): AlertChannelName {
  const channel = alertChannelNames.find((name) => name === params.channel);
  if (channel === undefined) throw new OperatorError("no_alert_channel");
  return channel;
}

async function receiverForm(call: ReceiverCall, typed: ReceiverFields | null = null, errors = {}) {
  const channel = channelOf(call);
  const states = await call.api("GET /alerts/receivers");
  const state = states.find((one) => one.channel === channel);
  if (state === undefined) throw new OperatorError("no_alert_channel");
  return <ReceiverPage shell={call.shell("system")} view={{ state, fields: typed ?? fieldsOf(state), errors }} />;
}

const fieldNames = ["url", "newSecret", "server", "security", "user", "from", "to", "sender", "routes"] as const;

const linesIn = (text: string): string[] =>
  text
    .split(/[\n,،;]/)
    .map(cleanInput)
    .filter((line) => line !== "");

/** Returns the new secret of a webhook; null for any other. */
async function saved({ api, form }: ReceiverCall, channel: AlertChannelName): Promise<string | null> {
  switch (channel) {
    case "webhook": {
      const { signingSecret } = await api("PUT /alerts/receivers/webhook", {
        url: form.text("url"),
        newSecret: form.has("newSecret"),
      });
      return signingSecret;
    }
    case "mail": {
      const password = form.raw("password");
      await api("PUT /alerts/receivers/mail", {
        server: cleanInput(form.text("server")),
        security: mailSecurities.find((one) => one === form.text("security")) ?? "starttls",
        user: form.text("user"),
        ...(password !== "" && { password }),
        from: cleanInput(form.text("from")),
        to: linesIn(form.raw("to")),
      });
      return null;
    }
    case "sms": {
      const sender = cleanInput(form.text("sender"));
      await api("PUT /alerts/receivers/sms", {
        to: linesIn(form.raw("to")),
        sender,
        routes: linesIn(form.raw("routes")),
      });
      return null;
    }
  }
}

const typedIn = (form: FormFields): ReceiverFields =>
  Object.fromEntries(fieldNames.map((name) => [name, form.raw(name)]));

async function save(call: ReceiverCall): Promise<PageAnswer> {
  const { api, form, locale, shell } = call;
  const channel = channelOf(call);
  const say = alertsWords[locale.language];
  let secret: string | null;
  try {
    secret = await saved(call, channel);
  } catch (reason) {
    const errors =
      reason instanceof OperatorError && reason.code === "route_not_found"
        ? { routes: refusalSentence(reason, locale) }
        : refusedFields(reason, locale);
    return formAgain(await receiverForm(call, typedIn(form), errors));
  }
  // Its receiver does not know the secret yet.
  if (secret !== null) return madePage(<ReceiverSecretPage shell={shell("system")} secret={secret} />, "/alerts");
  if (form.text("do") !== "test") return redirect("/alerts", <Notice tone="ok">{say.saved[channel]}</Notice>);
  const { results } = await api("POST /alerts/test", { channel });
  const hasFailed = results.some(({ failure }) => failure !== null);
  return redirect(hasFailed ? receiverHref(channel) : "/alerts", <TestedNotice results={results} />);
}

async function end(call: ReceiverCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const channel = channelOf(call);
  const off = form.text("do") === "off";
  await api("DELETE /alerts/receivers/:channel", { channel, off });
  const say = alertsWords[locale.language];
  return redirect("/alerts", <Notice tone="ok">{off ? say.isOff[channel] : say.isRemoved[channel]}</Notice>);
}

/** What the form or the address names. */
function silencedIn(fields: { get(name: string): string | null }) {
  const condition = fields.get("condition") ?? "";
  if (!isConditionCode(condition)) return null;
  const subject = fields.get("subject") ?? "";
  return { condition, ...(subject !== "" && { subject }) };
}

function askSilence({ query, locale, shell }: PageCall): PageAnswer {
  const named = silencedIn(query);
  if (named === null) return redirect("/alerts");
  const view = silenceQuestion(named.condition, named.subject ?? null, locale);
  return document(<ConfirmPage shell={shell("system")} view={view} />);
}

async function silence({ api, query, form, locale: { language } }: PageCall): Promise<PageAnswer> {
  const named = silencedIn(query);
  const hours = silenceHours.find((one) => String(one) === form.text("hours"));
  if (named === null || hours === undefined) return redirect("/alerts");
  await api("POST /alerts/silences", { ...named, hours });
  return redirect("/alerts", <Notice tone="ok">{alertsWords[language].isSilenced}</Notice>);
}

async function endSilence({ api, form, locale: { language } }: PageCall): Promise<PageAnswer> {
  const named = silencedIn({ get: (name) => form.text(name) });
  if (named !== null) await api("DELETE /alerts/silences", named);
  return redirect("/alerts", <Notice tone="ok">{alertsWords[language].isTold}</Notice>);
}

export const alertsPages = [
  page({ method: "GET", path: "/alerts", action: "system.read", answer: list }),
  page({ method: "GET", path: "/alerts/conditions", action: "system.read", answer: conditions }),
  page({ method: "POST", path: "/alerts/test", action: "system.run", answer: test }),
  page({ method: "GET", path: "/alerts/silence", action: "system.run", answer: askSilence }),
  page({ method: "POST", path: "/alerts/silence", action: "system.run", answer: silence }),
  page({ method: "POST", path: "/alerts/silence/end", action: "system.run", answer: endSilence }),
  page({
    method: "GET",
    path: "/alerts/receivers/:channel",
    action: "system.change",
    answer: async (call) => document(await receiverForm(call)),
  }),
  page({
    method: "POST",
    path: "/alerts/receivers/:channel",
    action: "system.change",
    answer: save,
  }),
  page({ method: "POST", path: "/alerts/receivers/:channel/end", action: "system.change", answer: end }),
];
