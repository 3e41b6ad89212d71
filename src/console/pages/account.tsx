/** One account: what it uses, its keys, senders and limits. */
import { Card, Empty, Facts, Figures, Tabs } from "../components/blocks.tsx";
import { Chart, type ChartData } from "../components/chart.tsx";
import { Code, Icon, Phone, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { type Column, Records, RowLink } from "../components/records.tsx";
import { useLocale } from "../locale.ts";

export interface AccountKeyView {
  id: string;
  name: string;
  state: Extract<PillState, "active" | "revoked" | "expired">;
  /** Null: everything. */
  permissions: readonly string[] | null;
  lastUsedAt: number | null;
  createdAt: number;
}

export interface AccountSenderView {
  sender: string;
  state: Extract<PillState, "active" | "off">;
  /** Empty: the default one. */
  routes: readonly string[];
  messagesThisMonth: number;
}

export interface AccountView {
  id: string;
  name: string;
  state: Extract<PillState, "active" | "suspended">;
  createdAt: number;
  messagesThisMonth: number;
  partsThisMonth: number;
  deliveredRatio: number | null;
  /** Rials; null where the account is not charged. */
  balance: number | null;
  balanceMessages: number;
  requestsPerMinuteMax: number;
  requestsPerMinutePeak: number;
  usage: ChartData;
  keys: readonly AccountKeyView[];
  senders: readonly AccountSenderView[];
  /** Null: unlimited. */
  messagesPerDayMax: number | null;
  countries: readonly string[];
  webhooks: number;
  webhooksMax: number;
  notes: string;
}

export function AccountPage({ shell, view }: { shell: Shell; view: AccountView }) {
  const { words, format } = useLocale();
  const say = words.account;
  const path = `/accounts/${view.id}`;
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      beside={<Pill state={view.state} />}
      above={{ title: words.places.accounts, href: "/accounts" }}
      lead={say.created(format.date(view.createdAt))}
      actions={<Actions view={view} path={path} />}
    >
      <Tabs
        label={say.tabs}
        current={path}
        tabs={[
          { title: say.tab.overview, href: path },
          { title: say.tab.keys, href: `${path}/keys`, count: view.keys.length },
          { title: say.tab.senders, href: `${path}/senders`, count: view.senders.length },
          { title: say.tab.limits, href: `${path}/limits` },
          { title: say.tab.balance, href: `${path}/balance` },
        ]}
      />
      <div class="stack">
        <AccountFigures view={view} />
        <Card title={say.usage}>
          <Chart title={say.usageTitle} {...view.usage} />
        </Card>
        <Card title={say.keys} flush>
          <Keys keys={view.keys} path={path} />
        </Card>
        <div class="columns">
          <Card title={say.senders} flush>
            <Senders senders={view.senders} />
          </Card>
          <div class="stack">
            <Limits view={view} />
            <Notes view={view} path={path} />
          </div>
        </div>
      </div>
    </PageLayout>
  );
}

function Actions({ view, path }: { view: AccountView; path: string }) {
  const { words } = useLocale();
  const suspended = view.state === "suspended";
  return (
    <>
      <form method="post" action={`${path}/${suspended ? "resume" : "suspend"}`}>
        <button type="submit" class="button">
          <Icon name={suspended ? "play" : "pause"} />
          {suspended ? words.account.resume : words.account.suspend}
        </button>
      </form>
      <a class="button button-primary" href={`${path}/keys/new`}>
        <Icon name="plus" />
        {words.account.newKey}
      </a>
    </>
  );
}

function AccountFigures({ view }: { view: AccountView }) {
  const { words, format } = useLocale();
  const say = words.account.figure;
  return (
    <Figures
      figures={[
        {
          label: say.month,
          value: format.number(view.messagesThisMonth),
          note: say.monthNote(format.count(view.partsThisMonth)),
        },
        {
          label: say.delivered,
          value: view.deliveredRatio === null ? words.charts.unknown : format.percent(view.deliveredRatio),
        },
        ...(view.balance === null
          ? []
          : [
              {
                label: say.balance,
                value: format.number(view.balance),
                unit: words.units.rial,
                note: say.balanceNote(format.count(view.balanceMessages)),
              },
            ]),
        {
          label: say.rate,
          value: format.number(view.requestsPerMinuteMax),
          note: say.rateNote(format.number(view.requestsPerMinutePeak)),
        },
      ]}
    />
  );
}

function Keys({ keys, path }: { keys: readonly AccountKeyView[]; path: string }) {
  const { words } = useLocale();
  const { head, never, allPermissions } = words.account;
  if (keys.length === 0) {
    return (
      <Empty icon="key" title={words.account.keysEmptyTitle} command="peyk key create --account ID --name NAME">
        {words.account.keysEmpty}
      </Empty>
    );
  }
  const columns: readonly Column<AccountKeyView>[] = [
    { head: head.name, phone: "title", cell: ({ id, name }) => <RowLink href={`${path}/keys/${id}`}>{name}</RowLink> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: head.permissions,
      phone: "line",
      cell: ({ permissions }) => (permissions === null ? allPermissions : <Code>{permissions.join(", ")}</Code>),
    },
    {
      head: head.used,
      phone: "word",
      named: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? never : <Time at={lastUsedAt} />),
    },
    { head: head.created, phone: "word", named: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  ];
  return <Records label={words.account.keys} columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

function Senders({ senders }: { senders: readonly AccountSenderView[] }) {
  const { words, format } = useLocale();
  const { head, defaultRoute } = words.account;
  const columns: readonly Column<AccountSenderView>[] = [
    { head: head.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: head.routes,
      phone: "word",
      cell: ({ routes }) => (routes.length === 0 ? defaultRoute : <Code>{routes.join(", ")}</Code>),
    },
    {
      head: head.messages,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ messagesThisMonth }) => format.number(messagesThisMonth),
    },
  ];
  return <Records label={words.account.senders} columns={columns} rows={senders} keyOf={({ sender }) => sender} />;
}

function Limits({ view }: { view: AccountView }) {
  const { words, format } = useLocale();
  const { limit, unlimited } = words.account;
  const perDay = view.messagesPerDayMax;
  return (
    <Card title={words.account.limits}>
      <Facts
        facts={[
          [limit.requests, format.number(view.requestsPerMinuteMax)],
          [limit.messages, perDay === null ? unlimited : format.number(perDay)],
          [limit.countries, view.countries.length === 0 ? unlimited : <Code>{view.countries.join(", ")}</Code>],
          [limit.webhooks, words.now.rateOf(format.number(view.webhooks), format.number(view.webhooksMax))],
        ]}
      />
    </Card>
  );
}

function Notes({ view, path }: { view: AccountView; path: string }) {
  const { words } = useLocale();
  return (
    <Card
      title={words.account.notes}
      actions={
        <a class="button button-quiet button-small" href={`${path}/notes`}>
          {words.account.change}
        </a>
      }
    >
      {view.notes === "" ? (
        <p class="muted">{words.account.noNotes}</p>
      ) : (
        <p dir="auto" class="foreign">
          {view.notes}
        </p>
      )}
      <p class="muted">{words.account.notesHint}</p>
    </Card>
  );
}
