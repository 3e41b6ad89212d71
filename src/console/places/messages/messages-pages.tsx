/** The message list with its export, one message, and its actions: cancel, resend. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { type ConsoleAction, roleMay } from "../../../domain/roles.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import { filteredAccount } from "../../page/accounts-and-senders.ts";
import { orNone } from "../../page/console-api.ts";
import { document, download, type PageAnswer, type PageCall, redirect } from "../../page/page.ts";
import { done, notDone, usualPages } from "../../page/usual-pages.tsx";
import { blockPages } from "./block-pages.tsx";
import { MessagePage } from "./message.tsx";
import type { MessageEvents } from "./message-events.tsx";
import { filterOf, messageQueryOf, queryText } from "./message-query.ts";
import { messageNamed, shownMeaning } from "./message-search.ts";
import { isCancellableNow, isResendable, readByOf } from "./message-state.ts";
import { queryOfForm } from "./message-times.ts";
import { MessagesPage } from "./messages.tsx";
import { followField, messagesView, unknownRoute } from "./messages-view.ts";
import { messageWords } from "./words.ts";

type MessageCall = PageCall<{ readonly code: string }>;

const { shown, live, question } = usualPages("messages", { read: "messages.read", change: "messages.cancel" });

const wordsOf = ({ locale }: PageCall) => messageWords[locale.language];

async function messageList({ api, query, locale, viewer, signal }: PageCall): Promise<PageAnswer> {
  const readBy = readByOf(viewer);
  const form = queryOfForm(query, locale, readBy);
  const asked = form?.query ?? messageQueryOf(query, readBy);
  const named = await messageNamed(api, asked.q);
  if (named !== null) return redirect(`/messages/${named}`);
  const { id, wrong } =
    readBy === "customer" ? { id: asked.account } : await filteredAccount(api, asked.account, locale);
  const wrongRoute = await unknownRoute(api, asked.route, locale);
  const meant = { ...asked, account: id, ...(wrongRoute !== undefined && { route: "" }) };
  const isWrong = wrong !== undefined || wrongRoute !== undefined || Object.keys(form?.errors ?? {}).length > 0;
  // Redirects to an address with the account's id, which means the same to a reader with another calendar.
  if (!isWrong && (form !== null || id !== asked.account)) return redirect(`/messages${queryText(meant)}`);
  const may = (action: ConsoleAction) => roleMay(viewer.role, action);
  const times = form === null ? {} : { times: form };
  const sources = { api, locale, readBy, may, signal, wrongAccount: wrong, wrongRoute, ...times };
  const view = await messagesView(sources, meant, {
    before: query.get("before") ?? "",
    isFollowed: query.has(followField),
  });
  return document(<MessagesPage {...view} />, isWrong ? 422 : 200);
}

/** At most so many of a second's messages are shown. */
const rowsFollowed = 10;

async function newMessages(call: PageCall, events: MessageEvents): Promise<PageAnswer> {
  const { api, query, locale, viewer, signal } = call;
  const asked = messageQueryOf(query, readByOf(viewer));
  const since = query.get("since") ?? "";
  const { now } = locale.format;
  const filter = filterOf(asked, await shownMeaning(api, asked, now, signal), now);
  const count = (ended: AbortSignal) => api("GET /messages/newer", { ...filter, since }, { signal: ended });
  // Reports every problem with the request before the stream begins.
  await count(signal);
  const reader = { language: viewer.language, zone: viewer.zone };
  if (query.has(followField)) {
    const next = (from: string, ended: AbortSignal) =>
      api("GET /messages/newer", { ...filter, since: from, rows: rowsFollowed }, { signal: ended });
    const one = (trackingCode: string) => api("GET /messages/:trackingCode", { trackingCode });
    const readBy = readByOf(viewer);
    return { kind: "events", events: events.following({ locale: reader, readBy, since, next, one }) };
  }
  return { kind: "events", events: events.for({ locale: reader, href: `/messages${queryText(asked)}`, count }) };
}

async function exportMessages({ api, query, locale, viewer, signal }: PageCall): Promise<PageAnswer> {
  const asked = messageQueryOf(query, readByOf(viewer));
  const { now, zone } = locale.format;
  const meaning = await shownMeaning(api, asked, now, signal);
  const filter = { ...filterOf(asked, meaning, now), timeZone: zone };
  const { body } = await api("GET /messages/export", filter, { signal });
  const day = new Date(now).toISOString().slice(0, 10);
  return download(`messages-${day}.csv`, "text/csv; charset=utf-8", body);
}

const messageOf = ({ api, params: { code: trackingCode } }: MessageCall): Promise<MessageAnswer> =>
  api("GET /messages/:trackingCode", { trackingCode });

const earlierShown = 3;
const dayMs = 24 * 3_600_000;

/** What its number was sent before, and how long its route's messages usually take. */
async function messageBeside({ api, viewer, locale, signal }: PageCall, message: MessageAnswer) {
  const { recipient, trackingCode: before, account, route } = message;
  const { now } = locale.format;
  const through = viewer.accountId === null && route !== null ? { route } : { account };
  const [found, figures] = await Promise.all([
    api("GET /messages", { recipient, account, before, limit: earlierShown }, { signal }),
    orNone(api("GET /figures", { by: "all", from: iso(now - dayMs), to: iso(now), ...through }, { signal })),
  ]);
  return { earlier: found.messages, usualMs: figures?.[0]?.deliveryMedianMs ?? null };
}

const iso = (at: number): string => new Date(at).toISOString();

const pathOf = ({ params }: MessageCall): string => `/messages/${encodeURIComponent(params.code)}`;

const cancelling = question("/messages/:code/cancel", {
  action: "messages.cancel",
  async ask(call) {
    const message = await messageOf(call);
    // Its own page shows its state.
    if (!isCancellableNow(message)) return redirect(pathOf(call));
    const { own, ...words } = wordsOf(call).cancelling;
    const goes = call.viewer.accountId === null ? words.goes : own;
    return { words: { ...words, goes }, name: message.recipient, back: pathOf(call) };
  },
  async run(call) {
    const say = wordsOf(call);
    const [outcome] = await call.api("POST /messages/cancel", { trackingCodes: [call.params.code] });
    const refused = outcome?.refused ?? null;
    if (refused?.code === "message_not_found") throw new OperatorError("message_not_found");
    return refused === null ? done(pathOf(call), say.cancelled) : notDone(pathOf(call), say.tooLate);
  },
});

const resending = question("/messages/:code/resend", {
  action: "messages.resend",
  async ask(call) {
    const { api, params, locale } = call;
    const [planned] = await api("POST /messages/resend", { trackingCodes: [params.code], dryRun: true });
    const message = await messageOf(call);
    if (!isResendable(message)) return redirect(pathOf(call));
    const say = wordsOf(call);
    const price = planned?.price ?? null;
    const cost = price === null ? [] : [say.resendCost(locale.format.amount(price, planned?.currency ?? ""))];
    const words = { ...say.resending, goes: [say.resending.goes, ...cost] };
    return { words, name: message.recipient, back: pathOf(call) };
  },
  async run(call) {
    const say = wordsOf(call);
    const [result] = await call.api("POST /messages/resend", { trackingCodes: [call.params.code] });
    if (result?.refused?.code === "message_not_found") throw new OperatorError("message_not_found");
    if (result?.resentAs != null) return done(`/messages/${result.resentAs}`, say.resent);
    const why = result?.refused?.code === "resent_already" ? say.resentBefore : say.notResendable;
    return notDone(pathOf(call), say.notResent(why));
  },
});

export const messagesPages = (events: MessageEvents) => [
  shown("/messages/live", (call) => newMessages(call, events)),
  shown("/messages", messageList),
  shown("/messages.csv", exportMessages),
  ...live("/messages/:code", {
    load: async (call) => ({ message: await messageOf(call) }),
    beside: (call, { message }) => messageBeside(call, message),
    View: MessagePage,
  }),
  ...blockPages,
  ...cancelling,
  ...resending,
];
