/** Webhooks: what was posted where, what came back, sending again, and new signing secrets. */
import { roleMay } from "../../domain/roles.ts";
import { isoTime } from "../../platform/clock.ts";
import { Notice } from "../components/blocks.tsx";
import { deliveriesView, webhookItems, webhookOf } from "../data/callbacks.ts";
import { askedPart } from "../data/list-part.ts";
import { CallbacksPage } from "../pages/callbacks.tsx";
import {
  DeliveriesPage,
  NewSigningSecretPage,
  ReplayPage,
  type ReplaySpan,
  replaySpans,
} from "../pages/deliveries.tsx";
import { document, madePage, type PageCall, page, redirect } from "./page.ts";

type WebhookCall = PageCall<{ readonly id: string }>;

const hourMs = 3_600_000;
const spansMs: Readonly<Record<ReplaySpan, number>> = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs };

const deliveriesPath = (id: string): string => `/callbacks/${id}/deliveries`;

/** One event, or what the form's span says. */
async function replay({ api, params: { id }, form, locale: { words, format } }: WebhookCall) {
  const event = form.text("event");
  const span = replaySpans.find((one) => one === form.text("span")) ?? "day";
  const since = isoTime(format.now - spansMs[span]);
  const body = event === "" ? { since, onlyFailed: form.has("failed") } : { event };
  const { deliveries } = await api("POST /webhooks/:id/replay", { id, ...body });
  return redirect(deliveriesPath(id), <Notice tone="ok">{words.callbacks.replayed(format.count(deliveries))}</Notice>);
}

async function newSecret({ api, params: { id }, shell }: WebhookCall) {
  const { signingSecret, signsFrom } = await api("POST /webhooks/:id/rotate-secret", { id });
  const view = { id, secret: signingSecret, signsFrom: Date.parse(signsFrom) };
  return madePage(<NewSigningSecretPage shell={shell("callbacks")} view={view} />, deliveriesPath(id));
}

async function switchSecret({ api, params: { id }, locale: { words } }: WebhookCall) {
  await api("POST /webhooks/:id/switch-secret", { id });
  return redirect(deliveriesPath(id), <Notice tone="ok">{words.callbacks.secret.switched}</Notice>);
}

export const callbacksPages = [
  page({
    method: "GET",
    path: "/callbacks",
    action: "callbacks.read",
    answer: async ({ api, shell, viewer, query }) => {
      const webhooks = await webhookItems(api, askedPart(query), viewer.accountId !== null);
      return document(<CallbacksPage shell={shell("callbacks")} webhooks={webhooks} />);
    },
  }),
  page({
    method: "GET",
    path: "/callbacks/:id/deliveries",
    action: "callbacks.read",
    answer: async ({ api, shell, viewer, params, query }) =>
      document(
        <DeliveriesPage
          shell={shell("callbacks")}
          view={await deliveriesView(api, params.id, query.get("before"))}
          may={{ change: roleMay(viewer.role, "callbacks.change"), rotate: roleMay(viewer.role, "callbacks.secrets") }}
        />,
      ),
  }),
  page({
    method: "GET",
    path: "/callbacks/:id/replay",
    action: "callbacks.change",
    answer: async ({ api, shell, params: { id } }) => {
      const { url } = await webhookOf(api, id);
      return document(<ReplayPage shell={shell("callbacks")} view={{ id, host: new URL(url).host }} />);
    },
  }),
  page({ method: "POST", path: "/callbacks/:id/replay", action: "callbacks.change", answer: replay }),
  page({ method: "POST", path: "/callbacks/:id/secret", action: "callbacks.secrets", answer: newSecret }),
  page({ method: "POST", path: "/callbacks/:id/secret/switch", action: "callbacks.secrets", answer: switchSecret }),
];
