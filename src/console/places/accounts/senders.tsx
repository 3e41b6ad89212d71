/** Senders: those of one account, and those of all. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Empty } from "../../components/blocks.tsx";
import { CollectionPage, ListBeginning, ListedRecords, type ListPart } from "../../components/collection.tsx";
import { Code, Icon, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Column } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { accountWords, senderWords } from "./words.ts";

/** One of a sender's routes, and its state. */
export interface SenderRoute {
  name: string;
  state: Extract<PillState, "up" | "down" | "off">;
  isSimulated: boolean;
}

type ListedSender = AnswerOf<"GET /senders">["rows"][number];
/** `routeStates`: of its routes, in order. */
export type SenderItem = ListedSender & { routeStates: readonly SenderRoute[] };
export type UsedSender = SenderItem & { messagesThisMonth: number };

interface SenderListProps {
  /** The account's id. */
  account: string;
  /** The account's first senders. */
  senders: ListPart<UsedSender>;
  /** The account's path. */
  path: string;
  mayChange: boolean;
}

/** As shown on its account's page. */
export function SenderList({ account, senders, path, mayChange }: SenderListProps) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = accountWords[language];
  return (
    <ListBeginning
      title={say.senders}
      list={senders}
      columns={switchableColumns(locale, { account, path, mayChange, part: null })}
      keyOf={({ sender }) => sender}
      all={{ href: `${path}/senders`, label: say.allSenders(format.count(senders.all)) }}
    >
      <NoSenders account={account} />
    </ListBeginning>
  );
}

function NoSenders({ account }: Pick<SenderListProps, "account">) {
  const { language } = useLocale();
  const say = accountWords[language];
  return (
    <Empty icon="send" title={say.sendersEmptyTitle} command={`peyk sender add --account ${account} --sender 30001234`}>
      {say.sendersEmpty}
    </Empty>
  );
}

/** With buttons on each row, more rows made the page too heavy. */
export const sendersShown = 30;

export interface SendersView {
  account: { id: string; name: string };
  senders: ListPart<UsedSender>;
  mayChange: boolean;
}

export function SendersPage({ shell, view }: { shell: Shell; view: SendersView }) {
  const locale = useLocale();
  const { language } = locale;
  const say = accountWords[language];
  const { account, senders, mayChange } = view;
  const path = `/accounts/${account.id}`;
  const [, part = ""] = shell.path.split("?");
  return (
    <PageLayout shell={shell} title={say.senders} above={{ title: account.name, href: path }}>
      <ListedRecords
        path={`${path}/senders`}
        title={say.senders}
        list={senders}
        columns={switchableColumns(locale, { account: account.id, path, mayChange, part })}
        keyOf={({ sender }) => sender}
      >
        <NoSenders account={account.id} />
      </ListedRecords>
    </PageLayout>
  );
}

interface SwitchProps {
  /** The account's id. */
  account: string;
  /** The account's path. */
  path: string;
  mayChange: boolean;
  /** The list's query, to return to it; null on the account's page. */
  part: string | null;
}

function switchableColumns(
  locale: Locale,
  { account, path, mayChange, part }: SwitchProps,
): readonly Column<UsedSender>[] {
  const { language, words } = locale;
  const say = accountWords[language];
  const columns = senderColumns(locale);
  const switched: Column<UsedSender> = {
    head: words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ sender, active }) => (
      <>
        <EditRoutes account={account} sender={sender} />
        <PostForm action={`${path}/senders/switch`}>
          <input type="hidden" name="sender" value={sender} />
          {part === null ? null : <input type="hidden" name="part" value={part} />}
          <button type="submit" class="button button-quiet button-small" name="active" value={active ? "no" : "yes"}>
            {active ? say.senderOff : say.senderOn}
          </button>
        </PostForm>
      </>
    ),
  };
  return mayChange ? [...columns, switched] : columns;
}

function senderColumns({ language, format }: Locale): readonly Column<UsedSender>[] {
  const { head } = accountWords[language];
  return [
    { head: head.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
    { head: head.state, phone: "aside", cell: ({ active }) => <Pill state={active ? "active" : "off"} /> },
    { head: head.routes, phone: "line", cell: (sender) => <RouteChain {...sender} /> },
    {
      head: head.messages,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ messagesThisMonth }) => format.number(messagesThisMonth),
    },
  ];
}

export const newSenderHref = (path: string): string => `${path}/senders/new`;

/** Link to the form of a sender's routes. */
export const senderRoutesHref = (account: string, sender: string, isOfAll = false): string =>
  `/accounts/${account}/senders/routes?${new URLSearchParams({ sender, ...(isOfAll && { of: "all" }) })}`;

/** `isOfAll`: opened from the list of all senders, and returns there. */
function EditRoutes({ account, sender, isOfAll }: { account: string; sender: string; isOfAll?: boolean }) {
  const say = senderWords[useLocale().language];
  return (
    <a class="button button-quiet button-small" href={senderRoutesHref(account, sender, isOfAll)}>
      {say.editRoutes}
    </a>
  );
}

/** The order in which routes are tried: the plan, then one route after the other. */
function RouteChain({ routeStates: routes, plan }: Pick<SenderItem, "routeStates" | "plan">) {
  const { language, words } = useLocale();
  const say = senderWords[language];
  return (
    <span class="route-chain">
      {plan === null ? null : (
        <span class="nowrap">
          <span class="muted">{say.planWord}</span>{" "}
          <a href={`/plans/${encodeURIComponent(plan)}`}>
            <Code>{plan}</Code>
          </a>
        </span>
      )}
      {routes.map(({ name, state, isSimulated }, index) => (
        <>
          {index === 0 && plan === null ? null : <Icon name="right" />}
          <a class="route-name" dir="ltr" href={`/routes/${encodeURIComponent(name)}`}>
            {name}
          </a>
          {state === "up" ? null : <Pill state={state} />}
          {isSimulated ? <span class="muted">{say.simulated}</span> : null}
        </>
      ))}
      {plan === null && routes.length === 0 ? <span class="muted">{words.charts.unknown}</span> : null}
    </span>
  );
}

interface AllSendersProps {
  shell: Shell;
  senders: ListPart<SenderItem>;
  mayChange: boolean;
}

/** Which sender uses which route. */
export function AllSendersPage({ shell, senders, mayChange }: AllSendersProps) {
  const { language, words } = useLocale();
  const { head } = accountWords[language];
  const say = senderWords[language];
  const columns: readonly Column<SenderItem>[] = [
    { head: head.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
    { head: head.state, phone: "aside", cell: ({ active }) => <Pill state={active ? "active" : "off"} /> },
    {
      head: say.account,
      phone: "word",
      cell: ({ account, accountName }) => (
        <a href={`/accounts/${account}`}>
          <bdi>{accountName}</bdi>
        </a>
      ),
    },
    { head: head.routes, phone: "line", cell: (sender) => <RouteChain {...sender} /> },
  ];
  const edit: Column<SenderItem> = {
    head: words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ account, sender }) => <EditRoutes account={account} sender={sender} isOfAll />,
  };
  return (
    <CollectionPage
      shell={shell}
      title={say.all}
      lead={say.allLead}
      create={null}
      empty={{
        icon: "send",
        title: accountWords[language].sendersEmptyTitle,
        words: accountWords[language].sendersEmpty,
      }}
      columns={mayChange ? [...columns, edit] : columns}
      list={senders}
      keyOf={({ account, sender }) => `${account}/${sender}`}
    />
  );
}
