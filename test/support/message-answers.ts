/** Answers about messages in each of their states, as the page of a message gets them. */
import type { MessageAnswer } from "../../src/operator/messages.ts";

/** A Sunday evening in Tehran: 1 Azar 1405. */
export const shownAt = Date.parse("2026-11-22T18:05:07.000Z");

const iso = (at: number): string => new Date(at).toISOString();

interface Told extends Partial<MessageAnswer> {
  /** Milliseconds before the page is shown. */
  acceptedAgo: number;
  /** Milliseconds after its acceptance. */
  claimedAfter?: number;
  sentAfter?: number;
  finalAfter?: number;
}

export function messageAnswer({ acceptedAgo, claimedAfter, sentAfter, finalAfter, ...more }: Told): MessageAnswer {
  const accepted = shownAt - acceptedAgo;
  const at = (after: number | undefined): string | null => (after === undefined ? null : iso(accepted + after));
  const status = more.status ?? "delivered";
  const steps = [
    ["queued", 0],
    ["processing", claimedAfter],
    ["sent", sentAfter],
    [status, finalAfter],
  ] as const;
  return {
    trackingCode: "01M81TBMF5391PMJBKEWBK0XFB",
    account: "acc_1",
    accountName: "Sepidar Books",
    sender: "300012345",
    recipient: "+989125550003",
    recipientAtHome: "09125550003",
    status,
    state: "delivered",
    class: "single",
    route: "operator-a",
    preview: "نوبت شما فردا ساعت ۹ در درمانگاه است.",
    clientReference: null,
    encoding: "Persian",
    characterCount: 58,
    partCount: 1,
    attempts: 1,
    error: null,
    possibleArrivals: null,
    waits: null,
    waitReason: null,
    dueAt: null,
    submittedAt: iso(accepted),
    sendAt: null,
    sentAt: at(sentAfter),
    finalAt: at(finalAfter),
    updatedAt: iso(accepted),
    ahead: null,
    campaign: null,
    otp: null,
    key: "backend",
    message: "نوبت شما فردا ساعت ۹ در درمانگاه است.",
    maskedText: "نوبت شما فردا ساعت ۹ در درمانگاه است.",
    network: "MCI",
    networkSource: "prefix",
    quietUntil: null,
    price: 1_200,
    charge: "charged",
    currency: "IRR",
    url: "http://127.0.0.1:8080/v1/messages/01M81TBMF5391PMJBKEWBK0XFB",
    resentOf: null,
    validUntil: iso(accepted + 86_400_000),
    remarks: [],
    history: steps.flatMap(([step, after]) =>
      after === undefined ? [] : [{ status: step, note: "", changedAt: iso(accepted + after) }],
    ),
    parts: [{ number: 1, route: "operator-a", providerId: "00000df3", receipt: null }],
    timeline: [],
    callbacks: [],
    nextCallback: null,
    ...more,
  };
}

const minute = 60_000;
const hour = 60 * minute;

/** Asked to slow down ten times. */
const slowed = [70, 1_200, 2_300, 3_500, 6_800, 13_500, 20_200, 27_000, 33_700, 40_500];

export const messageStates = {
  quick: messageAnswer({ acceptedAgo: 2_000, claimedAfter: 10, sentAfter: 48, finalAfter: 1_900 }),
  slowedDown: messageAnswer({
    acceptedAgo: 66_900,
    claimedAfter: 60,
    sentAfter: 49_300,
    finalAfter: 64_900,
    class: "otp",
    message: null,
    maskedText: "بانک آینده‌سازان\nرمز پویا: *****\nمبلغ: ۲٬۴۵۰٬۰۰۰ ریال",
    attempts: 11,
    timeline: slowed.map((after) => ({
      at: iso(shownAt - 66_900 + after),
      kind: "throttled",
      route: "operator-a",
      detail: "",
      reason: { code: "smpp_refused", status: 0x58, statusName: "ESME_RTHROTTLED" },
    })),
    nextCallback: { url: "https://shop.example.com/sms", step: "delivered", dueAt: iso(shownAt + 2_000), attempts: 1 },
  }),
  sent: messageAnswer({ acceptedAgo: 200_140, claimedAfter: 100, sentAfter: 138, status: "sent", state: "submitted" }),
  routeDown: messageAnswer({
    acceptedAgo: 13 * minute,
    status: "queued",
    state: "ready",
    route: null,
    dueAt: iso(shownAt - 13 * minute),
    waitReason: { code: "waits_routes_down", routes: ["operator-b"], since: shownAt - 13 * minute - 6_000 },
  }),
  overnight: messageAnswer({
    acceptedAgo: 23 * hour,
    claimedAfter: 9 * hour + 2 * minute + 200,
    sentAfter: 9 * hour + 2 * minute + 241,
    finalAfter: 9 * hour + 2 * minute + 3_141,
    quietUntil: iso(shownAt - 23 * hour + 9 * hour + 2 * minute),
  }),
  unreachable: messageAnswer({
    acceptedAgo: 27 * hour,
    claimedAfter: 100,
    sentAfter: 152,
    finalAfter: 24 * hour,
    status: "failed",
    state: "failed",
    error: { code: "recipient_unreachable", message: "The recipient could not be reached." },
  }),
  unsure: messageAnswer({
    acceptedAgo: 41_300,
    claimedAfter: 100,
    sentAfter: 30_312,
    status: "sent",
    state: "submitted",
    route: "kavenegar",
    possibleArrivals: 2,
    timeline: [
      {
        at: iso(shownAt - 41_300 + 30_100),
        kind: "uncertain",
        route: "operator-a",
        detail: "",
        reason: { code: "no_answer", peer: "smsc", afterMs: 30_000 },
      },
    ],
  }),
} satisfies Record<string, MessageAnswer>;
