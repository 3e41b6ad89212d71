/** The message list with its export, one message, and its actions: cancel, resend. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { type ConsoleAction, roleMay } from "../../../domain/roles.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import { Notice } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { filteredAccount } from "../../page/accounts-and-senders.ts";
import { document, download, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { blockPages } from "./block-pages.tsx";
import { MessagePage } from "./message.tsx";
import type { MessageEvents } from "./message-events.tsx";
import { filterOf, messageQueryOf, queryText } from "./message-query.ts";
import { messageNamed, shownMeaning } from "./message-search.ts";
import { isCancellableNow, isResendable, readByOf } from "./message-state.ts";
import { queryOfForm } from "./message-times.ts";
import { MessagesPage } from "./messages.tsx";
import { messagesView } from "./messages-view.ts";
import { messageWords } from "./words.ts";

type MessageCall = PageCall<{ readonly code: string }>;

export const messagesPages = (events: MessageEvents) => [
  page({
    method: "GET",
    path: "/messages/live",
    action: "messages.read",
    answer: (call) => newMessages(call, events),
  }),
  page({ method: "GET", path: "/messages", action: "messages.read", answer: showMessages }),
  page({ method: "GET", path: "/messages.csv", action: "messages.read", answer: exportMessages }),
  page({ method: "GET", path: "/messages/:code", action: "messages.read", answer: showMessage }),
  ...blockPages,
  page({ method: "GET", path: "/messages/:code/cancel", action: "messages.cancel", answer: askCancel }),
  page({ method: "POST", path: "/messages/:code/cancel", action: "messages.cancel", answer: cancel }),
  page({ method: "GET", path: "/messages/:code/resend", action: "messages.resend", answer: askResend }),
  page({ method: "POST", path: "/messages/:code/resend", action: "messages.resend", answer: resend }),
];

async function showMessages({ api, query, locale, viewer, shell, signal }: PageCall): Promise<PageAnswer> {
  const readBy = readByOf(viewer);
  const form = queryOfForm(query, locale, readBy);
  const asked = form?.query ?? messageQueryOf(query, readBy);
  const named = await messageNamed(api, asked.q);
  if (named !== null) return redirect(`/messages/${named}`);
  const { id, wrong } =
    readBy === "customer" ? { id: asked.account } : await filteredAccount(api, asked.account, locale);
  const meant = { ...asked, account: id };
  const isWrong = wrong !== undefined || Object.keys(form?.errors ?? {}).length > 0;
  // Redirects to an address with the account's id, which means the same to a reader with another calendar.
  if (!isWrong && (form !== null || id !== asked.account)) return redirect(`/messages${queryText(meant)}`);
  const may = (action: ConsoleAction) => roleMay(viewer.role, action);
  const times = form === null ? {} : { times: form };
  const sources = { api, locale, readBy, may, signal, wrongAccount: wrong, ...times };
  const view = await messagesView(sources, meant, query.get("before") ?? "");
  return document(<MessagesPage shell={shell("messages")} view={view} />, isWrong ? 422 : 200);
}

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

async function showMessage(call: MessageCall): Promise<PageAnswer> {
  const { shell, viewer } = call;
  return document(<MessagePage shell={shell("messages")} message={await messageOf(call)} viewer={viewer} />);
}

const pathOf = ({ params }: MessageCall): string => `/messages/${encodeURIComponent(params.code)}`;

/** If the action is no longer possible, the message's own page shows its state. */
async function ask(
  call: MessageCall,
  isPossible: (message: MessageAnswer) => boolean,
  viewOf: (message: MessageAnswer, words: (typeof messageWords)["en"]) => Omit<ConfirmView, "back">,
): Promise<PageAnswer> {
  const message = await messageOf(call);
  if (!isPossible(message)) return redirect(pathOf(call));
  const view = { ...viewOf(message, messageWords[call.locale.language]), back: pathOf(call) };
  return document(<ConfirmPage shell={call.shell("messages")} view={view} />);
}

function askCancel(call: MessageCall): Promise<PageAnswer> {
  return ask(call, isCancellableNow, ({ recipient }, say) => ({
    question: say.cancelAsk(recipient),
    goes: [call.viewer.accountId === null ? say.cancelGoes : say.cancelGoesOwn],
    stays: [say.cancelStays],
    action: `${pathOf(call)}/cancel`,
    doIt: say.cancelDo,
    keep: say.cancelKeep,
  }));
}

async function cancel(call: MessageCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const say = messageWords[locale.language];
  const [outcome] = await api("POST /messages/cancel", { trackingCodes: [params.code] });
  const refused = outcome?.refused ?? null;
  if (refused?.code === "message_not_found") throw new OperatorError("message_not_found");
  const notice =
    refused === null ? <Notice tone="ok">{say.cancelled}</Notice> : <Notice tone="bad">{say.tooLate}</Notice>;
  return redirect(pathOf(call), notice);
}

async function askResend(call: MessageCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const [planned] = await api("POST /messages/resend", { trackingCodes: [params.code], dryRun: true });
  return ask(call, isResendable, ({ recipient }, say) => ({
    question: say.resendAsk(recipient),
    goes: [
      say.resendGoes,
      ...(planned === undefined || planned.price === null
        ? []
        : [say.resendCost(locale.format.amount(planned.price, planned.currency))]),
    ],
    stays: [say.resendStays],
    action: `${pathOf(call)}/resend`,
    doIt: say.resendDo,
    keep: say.resendKeep,
  }));
}

async function resend(call: MessageCall): Promise<PageAnswer> {
  const { api, params, locale } = call;
  const say = messageWords[locale.language];
  const [result] = await api("POST /messages/resend", { trackingCodes: [params.code] });
  if (result?.refused?.code === "message_not_found") throw new OperatorError("message_not_found");
  if (result?.resentAs != null) {
    return redirect(`/messages/${result.resentAs}`, <Notice tone="ok">{say.resent}</Notice>);
  }
  const why = result?.refused?.code === "resent_already" ? say.resentBefore : say.notResendable;
  return redirect(pathOf(call), <Notice tone="bad">{say.notResent(why)}</Notice>);
}
