/** Senders: those of one account, and those of all. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Empty } from "../../components/blocks.tsx";
import { LinkButton, PostButton } from "../../components/buttons.tsx";
import { CollectionPage, ListBeginning, ListedRecords, type ListPart } from "../../components/collection.tsx";
import { AccountLink, Icon, Phone, Slug } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay, useShell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { type Column, figureColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
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
}

/** As shown on its account's page. */
export function SenderList({ account, senders, path }: SenderListProps) {
  const { words, format, say } = useLocale(accountWords);
  const columns = useColumns({ account, path, part: null });
  const all = { href: `${path}/senders`, label: say.allSenders(format.count(senders.all)) };
  return (
    <ListBeginning title={words.terms.senders} list={senders} {...{ columns, all }} keyOf={({ sender }) => sender} />
  );
}

/** With buttons on each row, more rows made the page too heavy. */
export const sendersShown = 30;

interface SendersOfAccount {
  account: { id: string; name: string };
  senders: ListPart<UsedSender>;
}

export function SendersPage({ account, senders }: SendersOfAccount) {
  const { words, format, say } = useLocale(accountWords);
  const title = words.terms.senders;
  const path = `/accounts/${account.id}`;
  const [, part = ""] = useShell().path.split("?");
  const columns = useColumns({ account: account.id, path, part });
  const lead = words.months[format.calendar];
  return (
    <PageLayout title={title} above={{ title: account.name, href: path }} {...(senders.all > 0 && { lead })}>
      <ListedRecords path={`${path}/senders`} title={title} list={senders} {...{ columns }} keyOf={(row) => row.sender}>
        <Empty
          icon="send"
          title={say.sendersEmptyTitle}
          command={`peyk sender add --account ${account.id} --sender 30001234`}
        >
          {say.sendersEmpty}
        </Empty>
      </ListedRecords>
    </PageLayout>
  );
}

interface ColumnsProps extends Pick<SenderListProps, "account" | "path"> {
  /** The list's query, to return to it; null on the account's page. */
  part: string | null;
}

function useColumns({ account, path, part }: ColumnsProps): readonly Column<UsedSender>[] {
  const { words, format } = useLocale();
  const buttonsOf = ({ sender, active }: UsedSender) => {
    const switched = active
      ? { value: "no", label: words.actions.switchOff }
      : { value: "yes", label: words.actions.switchOn };
    return (
      <>
        <EditRoutes account={account} sender={sender} />
        <PostButton look="quiet small" action={`${path}/senders/switch`} name="active" {...switched}>
          <input type="hidden" name="sender" value={sender} />
          {part === null ? null : <input type="hidden" name="part" value={part} />}
        </PostButton>
      </>
    );
  };
  const actions: Column<UsedSender> = { head: words.lists.actions, phone: "line", buttons: true, cell: buttonsOf };
  const countOf = ({ messagesThisMonth }: UsedSender) => format.number(messagesThisMonth);
  const nameOf = ({ sender, active }: UsedSender) => (
    <>
      <Phone number={sender} /> {active ? null : <Pill state="off" />}
    </>
  );
  return [
    { head: words.terms.sender, phone: "title", cell: nameOf },
    { head: words.places.routes, phone: "line", cell: (sender) => <RouteChain {...sender} /> },
    figureColumn(words.terms.thisMonth, countOf),
    ...(useMay("accounts.change") ? [actions] : []),
  ];
}

export const newSenderHref = (path: string): string => `${path}/senders/new`;

/** Link to the form of a sender's routes. */
export const senderRoutesHref = (account: string, sender: string, isOfAll = false): string =>
  `/accounts/${account}/senders/routes?${new URLSearchParams({ sender, ...(isOfAll && { of: "all" }) })}`;

/** `isOfAll`: opened from the list of all senders, and returns there. */
function EditRoutes({ account, sender, isOfAll }: { account: string; sender: string; isOfAll?: boolean }) {
  const { editRoutes } = useWords(senderWords);
  return <LinkButton look="quiet small" href={senderRoutesHref(account, sender, isOfAll)} label={editRoutes} />;
}

/** The order in which routes are tried: the plan, then one route after the other. */
function RouteChain({ routeStates: routes, plan }: Pick<SenderItem, "routeStates" | "plan">) {
  const { words, say } = useLocale(senderWords);
  return (
    <span class="route-chain">
      {plan === null ? null : (
        <span class="nowrap">
          <span class="muted">{say.planWord}</span>{" "}
          <a href={`/plans/${encodeURIComponent(plan)}`}>
            <Slug>{plan}</Slug>
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

/** Which sender uses which route. */
export function AllSendersPage({ senders }: { senders: ListPart<SenderItem> }) {
  const { words, say } = useLocale(senderWords);
  const mayAdd = useMay("accounts.change");
  const { sendersEmptyTitle, sendersEmpty } = useWords(accountWords);
  const accountOf = ({ account, accountName }: SenderItem) => <AccountLink id={account} name={accountName} />;
  const edit: Column<SenderItem> = {
    head: words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ account, sender }) => <EditRoutes account={account} sender={sender} isOfAll />,
  };
  const columns: readonly Column<SenderItem>[] = [
    { head: words.terms.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
    { head: words.terms.state, phone: "aside", cell: ({ active }) => <Pill state={active ? "active" : "off"} /> },
    { head: words.terms.account, phone: "word", cell: accountOf },
    { head: words.places.routes, phone: "line", cell: (sender) => <RouteChain {...sender} /> },
    ...(mayAdd ? [edit] : []),
  ];
  return (
    <CollectionPage
      title={say.all}
      lead={say.allLead}
      create={mayAdd && senders.all === 0 ? { href: "/first/account", label: say.create } : null}
      empty={{ icon: "send", title: sendersEmptyTitle, words: sendersEmpty }}
      columns={columns}
      list={senders}
      keyOf={({ account, sender }) => `${account}/${sender}`}
    />
  );
}
