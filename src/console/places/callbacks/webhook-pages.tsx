/** What can be done with a webhook: register, choose its events, switch off and on, test, remove. */
import { type EventKind, eventKinds } from "../../../domain/event.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import { madePage, type PageCall } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { MadeWebhookPage, NewWebhookPage, WebhookEventsPage } from "./webhook-form.tsx";
import { callbacksWords } from "./words.ts";

type WebhookCall = PageCall<{ readonly id: string }>;

const { form, question, button } = usualPages("callbacks", { read: "callbacks.read", change: "callbacks.change" });

const wordsOf = ({ locale }: PageCall) => callbacksWords[locale.language];

export const deliveriesPath = (id: string): string => `/callbacks/${id}/deliveries`;

export async function webhookHost({ api, params: { id } }: WebhookCall): Promise<string> {
  const { url } = await api("GET /webhooks/:id", { id });
  return new URL(url).host;
}

const typedEvents = ({ form: posted }: PageCall): EventKind[] =>
  eventKinds.filter((kind) => posted.all("events").includes(kind));

function refused(reason: unknown, call: PageCall): FieldErrors {
  const errors = refusedFields(reason, call.locale, { webhook_limit_reached: "url" });
  return errors.events === undefined ? errors : { ...errors, events: wordsOf(call).form.noEvents };
}

const newEvents: readonly EventKind[] = ["message.status"];

export const webhookPages = [
  ...form("/callbacks/new", {
    action: "callbacks.secrets",
    async load({ api, viewer }) {
      const accounts = viewer.accountId === null ? await accountOptions(api) : null;
      return { accounts, events: newEvents, texts: { account: "", url: "" } };
    },
    View: NewWebhookPage,
    typed(call) {
      const texts = { account: call.form.text("account"), url: call.form.text("url") };
      return { texts, events: typedEvents(call) };
    },
    async run({ api, viewer, locale }, { texts: { account, url }, events }) {
      const id = viewer.accountId === null ? await resolveAccount(api, account, locale) : "";
      const made = await api("POST /webhooks", { account: id, url, events: [...events] });
      return madePage(<MadeWebhookPage {...made} />, deliveriesPath(made.id));
    },
    refused,
  }),
  ...form("/callbacks/:id/change", {
    async load({ api, params: { id } }) {
      const { url, events } = await api("GET /webhooks/:id", { id });
      return { id, host: new URL(url).host, events: [events].flat(), texts: {} };
    },
    View: WebhookEventsPage,
    typed: (call) => ({ events: typedEvents(call) }),
    async run(call, { id, events }) {
      await call.api("PATCH /webhooks/:id", { id, events });
      return done(deliveriesPath(id), wordsOf(call).form.eventsSaved);
    },
    refused,
  }),
  button("/callbacks/:id/switch", async (call) => {
    const { id } = call.params;
    const isActive = call.form.text("active") === "yes";
    const { url } = await call.api("PATCH /webhooks/:id", { id, isActive });
    const { host } = new URL(url);
    const say = wordsOf(call);
    return isActive
      ? done(deliveriesPath(id), say.isOn(host))
      : done(deliveriesPath(id), say.isOff(host), { tone: "warn" });
  }),
  button("/callbacks/:id/test", async (call) => {
    const { id } = call.params;
    await call.api("POST /webhooks/:id/test", { id });
    return done(deliveriesPath(id), wordsOf(call).tested);
  }),
  ...question("/callbacks/:id/remove", {
    ask: async (call) => ({
      words: wordsOf(call).removing,
      name: await webhookHost(call),
      back: deliveriesPath(call.params.id),
    }),
    async run(call) {
      const host = await webhookHost(call);
      await call.api("DELETE /webhooks/:id", { id: call.params.id });
      return done("/callbacks", wordsOf(call).isRemoved(host));
    },
  }),
];
