/** Webhooks: what was posted and what came back, replays, and new signing secrets. */
import { roleMay } from "../../../domain/roles.ts";
import { isoTime } from "../../../platform/clock.ts";
import { Notice } from "../../components/blocks.tsx";
import type { ConsoleApi } from "../../page/console-api.ts";
import { askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
import { document, madePage, type PageCall, page, redirect } from "../../page/page.ts";
import { CallbacksPage } from "./callbacks.tsx";
import {
  DeliveriesPage,
  type DeliveriesView,
  NewSigningSecretPage,
  ReplayPage,
  type ReplaySpan,
  replaySpans,
} from "./deliveries.tsx";
import { webhookPages } from "./webhook-pages.tsx";
import { callbacksWords } from "./words.ts";

type WebhookCall = PageCall<{ readonly id: string }>;

const hourMs = 3_600_000;
const spansMs: Readonly<Record<ReplaySpan, number>> = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs };

const deliveriesPath = (id: string): string => `/callbacks/${id}/deliveries`;

/** One event, or the period given in the form. */
async function replay({ api, params: { id }, form, locale: { language, format } }: WebhookCall) {
  const event = form.text("event");
  const span = replaySpans.find((one) => one === form.text("span")) ?? "day";
  const since = isoTime(format.now - spansMs[span]);
  const body = event === "" ? { since, onlyFailed: form.has("failed") } : { event };
  const { deliveries } = await api("POST /webhooks/:id/replay", { id, ...body });
  return redirect(
    deliveriesPath(id),
    <Notice tone="ok">{callbacksWords[language].replayed(format.count(deliveries))}</Notice>,
  );
}

async function newSecret({ api, params: { id }, shell }: WebhookCall) {
  const { signingSecret, signsFrom } = await api("POST /webhooks/:id/rotate-secret", { id });
  const view = { id, secret: signingSecret, signsFrom };
  return madePage(<NewSigningSecretPage shell={shell("callbacks")} view={view} />, deliveriesPath(id));
}

async function switchSecret({ api, params: { id }, locale: { language } }: WebhookCall) {
  await api("POST /webhooks/:id/switch-secret", { id });
  return redirect(deliveriesPath(id), <Notice tone="ok">{callbacksWords[language].secret.switched}</Notice>);
}

const deliveriesShown = 30;

async function deliveries(api: ConsoleApi, id: string, before: string | null): Promise<DeliveriesView> {
  const query = { limit: deliveriesShown + 1, ...(before !== null && { before }) };
  const [webhook, found] = await Promise.all([
    api("GET /webhooks/:id", { id }),
    api("GET /webhooks/:id/deliveries", { id, ...query }),
  ]);
  const shown = found.slice(0, deliveriesShown);
  const olderThan = found.length > deliveriesShown ? (shown.at(-1)?.event ?? null) : null;
  return { webhook, deliveries: shown, olderThan };
}

export const callbacksPages = [
  page({
    method: "GET",
    path: "/callbacks",
    action: "callbacks.read",
    answer: async ({ api, shell, viewer, query }) => {
      const asked = askedPart(query);
      const webhooks = shownPart(await api("GET /webhooks", rangeOf(asked)), asked);
      const isOwn = viewer.accountId !== null;
      const mayCreate = roleMay(viewer.role, "callbacks.secrets");
      return document(<CallbacksPage shell={shell("callbacks")} {...{ webhooks, isOwn, mayCreate }} />);
    },
  }),
  ...webhookPages,
  page({
    method: "GET",
    path: "/callbacks/:id/deliveries",
    action: "callbacks.read",
    answer: async ({ api, shell, viewer, params, query }) =>
      document(
        <DeliveriesPage
          shell={shell("callbacks")}
          view={await deliveries(api, params.id, query.get("before"))}
          isOwn={viewer.accountId !== null}
          may={{ change: roleMay(viewer.role, "callbacks.change"), rotate: roleMay(viewer.role, "callbacks.secrets") }}
        />,
      ),
  }),
  page({
    method: "GET",
    path: "/callbacks/:id/replay",
    action: "callbacks.change",
    answer: async ({ api, shell, params: { id } }) => {
      const { url } = await api("GET /webhooks/:id", { id });
      return document(<ReplayPage shell={shell("callbacks")} view={{ id, host: new URL(url).host }} />);
    },
  }),
  page({ method: "POST", path: "/callbacks/:id/replay", action: "callbacks.change", answer: replay }),
  page({ method: "POST", path: "/callbacks/:id/secret", action: "callbacks.secrets", answer: newSecret }),
  page({ method: "POST", path: "/callbacks/:id/secret/switch", action: "callbacks.secrets", answer: switchSecret }),
];
