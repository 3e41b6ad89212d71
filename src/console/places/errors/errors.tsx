/** An account's errors: each kind of refused request with its hours, count and what to do. */

import { englishRefusals, type RefusalReason, type RefusalTexts } from "../../../domain/refused-request.ts";
import type { WayIn } from "../../../messaging/refusals/refused-requests.ts";
import type { AccountErrorAnswer } from "../../../operator/account-reports.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { persianRefusals } from "../../../words/fa/refused-request.ts";
import { Empty } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Code, Icon, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Language } from "../../language.ts";
import { useLocale } from "../../locale.ts";
import type { Words } from "../../words/words.ts";
import { errorsWords } from "./words.ts";

const refusalTexts: Readonly<Record<Language, RefusalTexts>> = { en: englishRefusals, fa: persianRefusals };
const dayMs = 24 * 3_600_000;

/** Why it was refused, in few words. */
export const refusalTitle = ({ reason }: Pick<AccountErrorAnswer, "reason">, language: Language): string =>
  refusalTexts[language][reason].title;

/** Names, the same in both languages; an intake is called by a word. */
export const wayNames: Readonly<Record<WayIn, string | null>> = {
  api: "API",
  smpp: "SMPP",
  kannel: "Kannel",
  jasmin: "Jasmin",
  intake: null,
  smtp: "SMTP",
};

export interface ErrorsProps {
  errors: AnswerOf<"GET /accounts/:id/errors">;
  /** Whose, for an operator; null at the portal. */
  account: { id: string; name: string } | null;
  /** Which of them are shown; null for all. */
  way: WayIn | null;
  by: string | null;
}

export function ErrorsPage({ errors, account, way, by }: ErrorsProps) {
  const { words, format, say } = useLocale(errorsWords);
  const path = account === null ? "/errors" : `/accounts/${account.id}/errors`;
  const shown = errors.kinds.filter((kind) => (way === null || kind.way === way) && (by === null || kind.by.id === by));
  const isYoung = format.now - Date.parse(errors.since) < dayMs;
  return (
    <PageLayout
      title={words.places.errors}
      lead={isYoung ? `${say.lead}. ${say.since(format.minute(errors.since))}` : say.lead}
      {...(account !== null && { above: { title: account.name, href: `/accounts/${account.id}` } })}
    >
      {errors.count === 0 ? (
        <Empty icon="ok" title={say.emptyTitle}>
          <p>{say.empty}</p>
        </Empty>
      ) : (
        <div class="stack">
          <Ways kinds={errors.kinds} {...{ path, way, by }} />
          <section class="card card-flush">
            <ol class="refusals">
              {shown.map((kind) => (
                <Refusal
                  key={`${kind.way} ${kind.by.id} ${kind.code} ${kind.fieldCode}`}
                  {...{ kind, path }}
                  account={account}
                />
              ))}
            </ol>
          </section>
          {errors.others === 0 ? null : <p class="muted">{say.others(format.count(errors.others))}</p>}
        </div>
      )}
    </PageLayout>
  );
}

function Ways({
  kinds,
  path,
  way,
  by,
}: Pick<ErrorsProps, "way" | "by"> & { kinds: readonly AccountErrorAnswer[]; path: string }) {
  const { words, format, say } = useLocale(errorsWords);
  const countOf = (one: WayIn | null) =>
    kinds.reduce((sum, kind) => sum + (one === null || kind.way === one ? kind.count : 0), 0);
  const used = new Set(kinds.map((kind) => kind.way));
  return (
    <div class="toolbar">
      <nav class="segments" aria-label={say.way}>
        {[null, ...used].map((one) => (
          <a
            key={one}
            href={one === null ? path : `${path}?way=${one}`}
            aria-current={one === way && by === null ? "true" : undefined}
          >
            {one === null ? words.terms.all : (wayNames[one] ?? say.intake)}{" "}
            <span class="muted">{format.number(countOf(one))}</span>
          </a>
        ))}
      </nav>
      {by === null ? null : <LinkButton look="quiet small" icon="close" href={path} label={say.anyKey} />}
    </div>
  );
}

function Refusal({ kind, path, account }: { kind: AccountErrorAnswer; path: string; account: ErrorsProps["account"] }) {
  const { language, words, format, say } = useLocale(errorsWords);
  const links = { ...words.places, ...say.links };
  const { title, advice } = refusalTexts[language][kind.reason];
  const { way, by, first, last, goesOn, count, example } = kind;
  const link = linkFor(kind, account?.id ?? null);
  const name = by.name ?? by.id;
  return (
    <li class="refusal">
      <div>
        <h2>{title}</h2>
        <p class="refusal-facts">
          <Code>{codeText(kind)}</Code>
          <span>
            {wayNames[way] ?? say.intake} · {way === "api" ? `${say.key} ` : ""}
            <a href={`${path}?by=${by.id}`} title={say.only(name)}>
              <Name>{name}</Name>
            </a>
          </span>
          <span>
            {first === last ? null : (
              <>
                {say.first} <Time at={first} as="minute" />
                {language === "fa" ? "، " : ", "}
              </>
            )}
            {say.last} <Time at={last} as="minute" />
          </span>
          <span class={goesOn ? "ink-bad" : undefined}>{goesOn ? say.goesOn : say.over}</span>
        </p>
      </div>
      <div class="refusal-side">
        <HourBars hours={kind.hours} label={say.hours} />
        <b class="refusal-count">{format.number(count)}</b>
      </div>
      <p class="refusal-do">
        <Icon name="ok" />
        <span>{advice}</span>
        <a href={link.href}>{links[link.label]}</a>
      </p>
      <details class="refusal-example">
        <summary>{say.example}</summary>
        <Code>{[example.request, example.field, example.sender].filter((part) => part !== null).join("  ")}</Code>
      </details>
    </li>
  );
}

/** `403 sender_not_permitted`, `0x0000000A ESME_RINVSRCADR`. */
export function codeText({ way, status, code, fieldCode }: AccountErrorAnswer): string {
  const number = status === null || way === "api" ? status : `0x${status.toString(16).toUpperCase().padStart(8, "0")}`;
  return [number, code, fieldCode].filter((part) => part !== null).join(" ");
}

const barsHeight = 26;

/** Time runs left to right in both languages. */
function HourBars({ hours, label }: { hours: readonly number[]; label: string }) {
  const most = Math.max(1, ...hours);
  return (
    <svg class="hour-bars" viewBox={`0 0 132 ${barsHeight}`} role="img" aria-label={label}>
      {hours.map((count, index) => {
        const height = count === 0 ? 1.5 : Math.max(2, Math.round((24 * count) / most));
        const place = { x: index * 5.5, y: barsHeight - height, width: 4.3, height };
        return <rect key={index} class={count === 0 ? "none" : undefined} {...place} />;
      })}
    </svg>
  );
}

type LinkLabel = keyof Words["places"] | keyof (typeof errorsWords)["en"]["links"];

/** Where what to do is done: at the portal, or for an operator at the account. */
export function linkFor(
  { reason, way, by, example }: AccountErrorAnswer,
  account: string | null,
): { href: string; label: LinkLabel } {
  const isKey = way === "api";
  const credential = { href: isKey ? "/keys" : "/credentials", label: isKey ? "keys" : "credentials" } as const;
  const sender = example.sender === null ? "" : `?sender=${encodeURIComponent(example.sender)}`;
  if (account !== null) {
    const path = `/accounts/${account}`;
    if (reason === "sender") return { href: `${path}/senders/new${sender}`, label: "ownSender" };
    if (reason === "balance") return { href: `${path}/money`, label: "money" };
    return isKey ? { href: `${path}/keys`, label: "keys" } : { href: `/credentials/${by.id}`, label: "credentials" };
  }
  const links: Partial<Record<RefusalReason, { href: string; label: LinkLabel }>> = {
    sender: { href: `/senders/ask${sender}`, label: "sender" },
    balance: { href: "/balance-alert", label: "balance" },
    quota: { href: "/usage", label: "usage" },
    callback: { href: "/callbacks", label: "callbacks" },
    key: credential,
    permission: credential,
    rate: credential,
    window: credential,
  };
  return links[reason] ?? { href: "/begin", label: "begin" };
}
