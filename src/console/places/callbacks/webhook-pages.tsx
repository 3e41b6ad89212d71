/** What can be done with a webhook: register, choose its events, switch off and on, test, remove. */
import { type EventKind, eventKinds } from "../../../domain/event.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import type { Locale } from "../../locale.ts";
import { accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import { document, formAgain, madePage, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusalSentence, refusedFields } from "../../page/refusal.ts";
import {
  MadeWebhookPage,
  NewWebhookPage,
  removeWebhookQuestion,
  WebhookEventsPage,
  type WebhookFields,
} from "./webhook-form.tsx";
import { callbacksWords } from "./words.ts";

type WebhookCall = PageCall<{ readonly id: string }>;

const deliveriesPath = (id: string): string => `/callbacks/${id}/deliveries`;
const done = (text: string) => <Notice tone="ok">{text}</Notice>;

const nothing: WebhookFields = { account: "", url: "", events: ["message.status"] };

const typedEvents = ({ form }: PageCall): EventKind[] => eventKinds.filter((kind) => form.all("events").includes(kind));

async function newForm(call: PageCall, fields: WebhookFields, errors: FieldErrors = {}) {
  const isOwn = call.viewer.accountId !== null;
  const accounts = isOwn ? null : await accountOptions(call.api);
  return <NewWebhookPage shell={call.shell("callbacks")} view={{ fields, errors, accounts }} />;
}

async function create(call: PageCall): Promise<PageAnswer> {
  const { api, form, viewer, locale, shell } = call;
  const events = typedEvents(call);
  const typed = { account: form.text("account"), url: form.text("url"), events };
  try {
    const account = viewer.accountId === null ? await resolveAccount(api, typed.account, locale) : "";
    const made = await api("POST /webhooks", { account, url: typed.url, events });
    return madePage(<MadeWebhookPage shell={shell("callbacks")} view={made} />, deliveriesPath(made.id));
  } catch (reason) {
    return formAgain(await newForm(call, typed, refused(reason, call)));
  }
}

function refused(reason: unknown, { locale }: PageCall): FieldErrors {
  const errors = refusedUrl(reason, locale);
  return errors.events === undefined ? errors : { ...errors, events: callbacksWords[locale.language].form.noEvents };
}

function refusedUrl(reason: unknown, locale: Locale): FieldErrors {
  if (reason instanceof OperatorError && reason.code === "webhook_limit_reached") {
    return { url: refusalSentence(reason, locale) };
  }
  return refusedFields(reason, locale);
}

async function eventsForm(call: WebhookCall, typed?: { events: readonly string[]; errors: FieldErrors }) {
  const { url, events } = await call.api("GET /webhooks/:id", { id: call.params.id });
  const { host } = new URL(url);
  const view = { id: call.params.id, host, ...(typed ?? { events: [events].flat(), errors: {} }) };
  return <WebhookEventsPage shell={call.shell("callbacks")} view={view} />;
}

async function saveEvents(call: WebhookCall): Promise<PageAnswer> {
  const { api, locale } = call;
  const { id } = call.params;
  const events = typedEvents(call);
  try {
    await api("PATCH /webhooks/:id", { id, events });
    return redirect(deliveriesPath(id), done(callbacksWords[locale.language].form.eventsSaved));
  } catch (reason) {
    return formAgain(await eventsForm(call, { events, errors: refused(reason, call) }));
  }
}

async function switchWebhook({ api, params: { id }, form, locale }: WebhookCall): Promise<PageAnswer> {
  const isActive = form.text("active") === "yes";
  const { url } = await api("PATCH /webhooks/:id", { id, isActive });
  const { host } = new URL(url);
  const say = callbacksWords[locale.language];
  return redirect(
    deliveriesPath(id),
    <Notice tone={isActive ? "ok" : "warn"}>{isActive ? say.isOn(host) : say.isOff(host)}</Notice>,
  );
}

async function test({ api, params: { id }, locale }: WebhookCall): Promise<PageAnswer> {
  await api("POST /webhooks/:id/test", { id });
  return redirect(deliveriesPath(id), done(callbacksWords[locale.language].tested));
}

async function hostOf({ api, params: { id } }: WebhookCall): Promise<string> {
  const { url } = await api("GET /webhooks/:id", { id });
  return new URL(url).host;
}

async function remove(call: WebhookCall): Promise<PageAnswer> {
  const host = await hostOf(call);
  await call.api("DELETE /webhooks/:id", { id: call.params.id });
  return redirect("/callbacks", done(callbacksWords[call.locale.language].remove.done(host)));
}

const action = "callbacks.change";

export const webhookPages = [
  page({
    method: "GET",
    path: "/callbacks/new",
    action: "callbacks.secrets",
    answer: async (call) => document(await newForm(call, nothing)),
  }),
  page({ method: "POST", path: "/callbacks/new", action: "callbacks.secrets", answer: create }),
  page({
    method: "GET",
    path: "/callbacks/:id/change",
    action,
    answer: async (call) => document(await eventsForm(call)),
  }),
  page({ method: "POST", path: "/callbacks/:id/change", action, answer: saveEvents }),
  page({ method: "POST", path: "/callbacks/:id/switch", action, answer: switchWebhook }),
  page({ method: "POST", path: "/callbacks/:id/test", action, answer: test }),
  page({
    method: "GET",
    path: "/callbacks/:id/remove",
    action,
    answer: async (call) => {
      const view = removeWebhookQuestion(call.params.id, await hostOf(call), call.locale);
      return document(<ConfirmPage shell={call.shell("callbacks")} view={view} />);
    },
  }),
  page({ method: "POST", path: "/callbacks/:id/remove", action, answer: remove }),
];
