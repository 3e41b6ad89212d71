/** The steps by which the code of a one-time password was tried, with their times, on the page of each of its messages. */
import type { OtpStepsOutcome } from "../../../domain/otp-steps.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import { Card } from "../../components/blocks.tsx";
import { Time } from "../../components/inline.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { Pill, TonePill } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { bothLanguages } from "../../words/both-languages.ts";
import { statusPills } from "./message-state.ts";

type Challenge = NonNullable<MessageAnswer["otp"]>;
type Step = Challenge["steps"][number];

const stepWords = bothLanguages({
  en: {
    title: "Steps of its code",
    way: "By",
    by: { sms: "SMS", channel: "Channel" },
    dropped: "Not needed",
    passed_over: "Passed over",
    ended: {
      completed: "Every step was taken.",
      delivered: "It arrived, so no further step is taken.",
      verified: "The code was verified, so no further step is taken.",
      locked: "Too many wrong codes ended it.",
      replaced: "A newer code replaced it.",
      expired: "It expired.",
      cancelled: "It was cancelled.",
      blocked: "The recipient is on a suppression list.",
      suspended: "The account was suspended.",
      refused: "A further message would have been refused: quota, balance, sender or key.",
    } satisfies Record<OtpStepsOutcome, string>,
  },
  fa: {
    title: "گام‌های رمز آن",
    way: "از راه",
    by: { sms: "پیامک", channel: "کانال" },
    dropped: "لازم نشد",
    passed_over: "رد شد",
    ended: {
      completed: "همهٔ گام‌ها برداشته شد.",
      delivered: "رسید؛ گام دیگری برداشته نمی‌شود.",
      verified: "رمز تأیید شد؛ گام دیگری برداشته نمی‌شود.",
      locked: "رمزهای نادرست بسیار به آن پایان داد.",
      replaced: "رمز تازه‌تری جای آن را گرفت.",
      expired: "مهلتش گذشت.",
      cancelled: "لغو شد.",
      blocked: "گیرنده در فهرست منع است.",
      suspended: "حساب معلق شد.",
      refused: "پیام دیگری پذیرفته نمی‌شد: سهمیه، موجودی، فرستنده یا کلید.",
    },
  },
});

export function OtpStepsCard({ challenge }: { challenge: Challenge }) {
  const { words, say } = useLocale(stepWords);
  const isCustomer = useIsCustomer();
  const columns: readonly Column<Step>[] = [
    {
      head: words.terms.time,
      phone: "title",
      cell: ({ trackingCode, beganAt, dueAt }) => {
        const at = beganAt ?? dueAt;
        const time = at === null ? "–" : <Time at={at} as="clockSeconds" />;
        return trackingCode === null ? time : <RowLink href={`/messages/${trackingCode}`}>{time}</RowLink>;
      },
    },
    {
      head: say.way,
      phone: "word",
      cell: ({ by, channel }) => (channel === null || isCustomer ? say.by[by] : <bdi>{channel}</bdi>),
    },
    {
      head: words.terms.status,
      phone: "aside",
      cell: ({ status }) => {
        if (status === "waits") return <Pill state="scheduled" />;
        if (status === "dropped" || status === "passed_over") return <TonePill tone="wait">{say[status]}</TonePill>;
        return <Pill state={statusPills[status]} />;
      },
    },
  ];
  const { outcome, steps } = challenge;
  return (
    <Card title={say.title} flush>
      <Records label={say.title} columns={columns} rows={steps} keyOf={(one) => String(steps.indexOf(one))} />
      {outcome === null ? null : <p class="card-words muted">{say.ended[outcome]}</p>}
    </Card>
  );
}
