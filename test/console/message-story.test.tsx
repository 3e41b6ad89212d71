/** The page of a message: its headline, its bar of time and its story, in each state and both languages. */
import { describe, expect, test } from "bun:test";
import { ShellProvider } from "../../src/console/components/navigation.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import { createLocale } from "../../src/console/locale.ts";
import { MessagePage } from "../../src/console/places/messages/message.tsx";
import { headlineOf } from "../../src/console/places/messages/message-headline.ts";
import { stepsOf } from "../../src/console/places/messages/message-steps.ts";
import { waitsOf } from "../../src/console/places/messages/message-waits.ts";
import type { MessageAnswer } from "../../src/operator/messages.ts";
import { plainText } from "../support/console-traffic.ts";
import { messageAnswer, messageStates, shownAt } from "../support/message-answers.ts";
import { shellOf } from "../support/shell.ts";

const locales = {
  en: createLocale({ language: "en", zone: "Asia/Tehran", now: shownAt }),
  fa: createLocale({ language: "fa", zone: "Asia/Tehran", now: shownAt }),
};

function told(message: MessageAnswer, language: "en" | "fa" = "en") {
  const waits = waitsOf(message, "staff", locales[language]);
  const line = headlineOf({ ...waits, message, readBy: "staff", usualMs: 2_400 }, locales[language]);
  return `${line?.outcome} ${line?.cause}`.trim();
}

const partsOf = (message: MessageAnswer) => {
  const { format } = locales.en;
  return waitsOf(message, "staff", locales.en).waits.map(({ label, from, to }) => `${label} ${format.span(to - from)}`);
};

describe("the headline says what became of a message, how long it took, and why", () => {
  test.each([
    ["quick", "Delivered 1.9 s after it was accepted."],
    [
      "slowedDown",
      "Delivered 65 s after it was accepted. operator-a asked to slow down for 49 s of it; the network took 16 s.",
    ],
    [
      "sent",
      "Sent 3 min 20 s ago, no receipt yet. The network usually answers within 2.4 s; it may take until 23 Nov, 21:31.",
    ],
    ["routeDown", "Waiting for 13 min. Route operator-b is down since 21:22:01."],
    [
      "overnight",
      "Delivered 9 h 2 min after it was accepted, as meant. It came in quiet hours and waited for 07:37; then it took 3.1 s.",
    ],
    ["unreachable", "Failed after 24 h: the recipient could not be reached. The network took 24 h."],
    [
      "unsure",
      "Unsure: it may arrive twice. operator-a gave no answer; 30 s after it was accepted it went out again over kavenegar.",
    ],
  ] as const)("%s", (state, sentence) => {
    expect(told(messageStates[state])).toBe(sentence);
  });
});

test("the bar of time is cut by who was waited for", () => {
  expect(partsOf(messageStates.slowedDown)).toEqual([
    "Here 60 ms",
    "operator-a asked to slow down 49.2 s",
    "Network and handset 15.6 s",
  ]);
  expect(partsOf(messageStates.routeDown)).toEqual(["operator-b down 13 min"]);
  expect(partsOf(messageStates.overnight)).toEqual([
    "Quiet hours of Sepidar Books 9 h 2 min",
    "Here 0.2 s",
    "operator-a 41 ms",
    "Network and handset 2.9 s",
  ]);
  expect(partsOf(messageStates.unsure)).toEqual([
    "Here 0.1 s",
    "operator-a gave no answer 30 s",
    "kavenegar 0.2 s",
    "Network and handset 11 s",
  ]);
});

test("equal steps are one, with their count, how long they lasted, and each moment behind a fold", () => {
  const steps = stepsOf(messageStates.slowedDown, "staff", locales.en);
  expect(steps.map(({ what }) => what)).toEqual([
    "Accepted",
    "Asked to slow down 10 times, 49.2 s",
    "Accepted by operator-a",
    "Delivered",
    "Next: tell shop.example.com “Delivered”",
  ]);
  expect(steps[1]?.why).toEndWith("Peyk waited 1.1 s to 6.8 s between attempts.");
  expect(steps[3]?.gap).toBe("15.6 s without a word from the network");
});

const page = (message: MessageAnswer, language: "en" | "fa" = "en") =>
  renderPartial(
    locales[language],
    <ShellProvider value={shellOf({ place: "messages" })}>
      <MessagePage message={message} usualMs={2_400} />
    </ShellProvider>,
    () => "number",
  );

test("the page shows tenths of seconds on every day, with the day where it is another one", () => {
  const text = plainText(page(messageStates.unreachable));
  expect(text).toMatch(/21 Nov 18:35:07\.0 Accepted/);
  expect(text).toMatch(/22 Nov 18:35:07\.0 Failed/);
});

test("the bar is drawn from five seconds on, and mirrored in Persian", () => {
  expect(page(messageStates.quick)).not.toContain("time-bar");
  const places = (language: "en" | "fa") =>
    [...page(messageStates.slowedDown, language).matchAll(/<rect x="([\d.]+)%"[^>]*class="who-(\w+)"/g)].map(
      ([, x, who]) => [who, Math.round(Number(x))],
    );
  expect(places("en").map(([who]) => who)).toEqual(["here", "carrier", "network"]);
  expect(places("en")[0]).toEqual(["here", 0]);
  expect(places("fa")[0]).toEqual(["here", 99]);
  expect(places("fa")[2]).toEqual(["network", 0]);
});

test("a code is hidden in its text, with its length", () => {
  const html = page(messageStates.slowedDown);
  expect(html).toContain("رمز پویا: ••••••");
  expect(html).not.toContain("*****");
  expect(page(messageAnswer({ acceptedAgo: 2_000, message: "5 **** hotel", maskedText: "5 **** hotel" }))).toContain(
    "5 **** hotel",
  );
});

test("the steps of a code stand with their times in both languages", () => {
  const at = new Date(shownAt - 60_000).toISOString();
  const step = { trackingCode: "01M81TBMF5391PMJBKEWBK0XFB", beganAt: at, dueAt: null, channel: null } as const;
  const otp: NonNullable<MessageAnswer["otp"]> = {
    steps: [
      { ...step, by: "sms", status: "sent" },
      { ...step, by: "sms", trackingCode: null, beganAt: null, status: "passed_over" },
      { ...step, by: "channel", channel: "telegram", trackingCode: null, beganAt: null, status: "dropped" },
    ],
    outcome: "verified",
    endedAt: at,
    verifiedAt: at,
  };
  const message = { ...messageStates.sent, otp };
  const [english, persian] = [plainText(page(message)), plainText(page(message, "fa"))];
  expect(english).toMatch(/Steps of its code.*SMS.*Sent.*Passed over.*telegram.*Not needed.*The code was verified/s);
  expect(persian).toMatch(/گام‌های رمز آن.*پیامک.*رد شد.*لازم نشد.*رمز تأیید شد/s);
  expect(plainText(page(messageStates.sent))).not.toContain("Steps of its code");
});
