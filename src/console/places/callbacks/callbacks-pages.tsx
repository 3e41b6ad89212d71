/** Webhooks: what was posted and what came back, replays, and new signing secrets. */
import { isoTime } from "../../../platform/clock.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { askedList } from "../../page/list-part.ts";
import { madePage, type PageCall } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { CallbacksPage } from "./callbacks.tsx";
import { DeliveriesPage, NewSigningSecretPage, ReplayPage, type ReplaySpan, replaySpans } from "./deliveries.tsx";
import { deliveriesPath, webhookHost, webhookPages } from "./webhook-pages.tsx";
import { callbacksWords } from "./words.ts";

const { shown, button } = usualPages("callbacks", { read: "callbacks.read", change: "callbacks.change" });

const hourMs = 3_600_000;
const spansMs: Readonly<Record<ReplaySpan, number>> = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs };

const wordsOf = ({ locale }: PageCall) => callbacksWords[locale.language];

const deliveriesShown = 30;

async function deliveries(api: ConsoleApi, id: string, before: string | null) {
  const query = { limit: deliveriesShown + 1, ...(before !== null && { before }) };
  const [webhook, found] = await Promise.all([
    api("GET /webhooks/:id", { id }),
    api("GET /webhooks/:id/deliveries", { id, ...query }),
  ]);
  const page = found.slice(0, deliveriesShown);
  const olderThan = found.length > deliveriesShown ? (page.at(-1)?.event ?? null) : null;
  return { webhook, deliveries: page, olderThan };
}

/** One event, or the period given in the form. */
const replay = button("/callbacks/:id/replay", async (call) => {
  const { api, params, form, locale } = call;
  const event = form.text("event");
  const span = replaySpans.find((one) => one === form.text("span")) ?? "day";
  const since = isoTime(locale.format.now - spansMs[span]);
  const body = event === "" ? { since, onlyFailed: form.has("failed") } : { event };
  const { deliveries: due } = await api("POST /webhooks/:id/replay", { id: params.id, ...body });
  return done(deliveriesPath(params.id), wordsOf(call).replayed(locale.format.count(due)));
});

const secrets = { action: "callbacks.secrets" } as const;

const newSecret = button(
  "/callbacks/:id/secret",
  async ({ api, params: { id } }) =>
    madePage(
      <NewSigningSecretPage id={id} {...(await api("POST /webhooks/:id/rotate-secret", { id }))} />,
      deliveriesPath(id),
    ),
  secrets,
);

const switchSecret = button(
  "/callbacks/:id/secret/switch",
  async (call) => {
    const { id } = call.params;
    await call.api("POST /webhooks/:id/switch-secret", { id });
    return done(deliveriesPath(id), wordsOf(call).secret.switched);
  },
  secrets,
);

export const callbacksPages = [
  shown("/callbacks", async ({ api, query }) => (
    <CallbacksPage webhooks={await askedList(query, (range) => api("GET /webhooks", range))} />
  )),
  ...webhookPages,
  shown("/callbacks/:id/deliveries", async ({ api, params, query }) => (
    <DeliveriesPage {...(await deliveries(api, params.id, query.get("before")))} />
  )),
  shown(
    "/callbacks/:id/replay",
    async (call) => <ReplayPage id={call.params.id} host={await webhookHost(call)} />,
    "callbacks.change",
  ),
  replay,
  newSecret,
  switchSecret,
];
