/** The senders of an account: as they stand with it, and all of them. */
import { Empty } from "../components/blocks.tsx";
import { ListBeginning, ListedRecords, type ListPart } from "../components/collection.tsx";
import { Code, Phone } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import type { Column } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";

export interface AccountSenderView {
  sender: string;
  state: Extract<PillState, "active" | "off">;
  /** Its own, in order; empty without any. */
  routes: readonly string[];
  /** The routing plan that goes before them; null for none. */
  plan: string | null;
  messagesThisMonth: number;
}

interface SenderListProps {
  /** Its id. */
  account: string;
  /** Its first. */
  senders: ListPart<AccountSenderView>;
  /** Of the account. */
  path: string;
  mayChange: boolean;
}

/** As it stands with its account. */
export function SenderList({ account, senders, path, mayChange }: SenderListProps) {
  const locale = useLocale();
  const { words, format } = locale;
  return (
    <ListBeginning
      title={words.account.senders}
      list={senders}
      columns={switchableColumns(locale, { path, mayChange, part: null })}
      keyOf={({ sender }) => sender}
      all={{ href: `${path}/senders`, label: words.account.allSenders(format.count(senders.all)) }}
    >
      <NoSenders account={account} />
    </ListBeginning>
  );
}

function NoSenders({ account }: Pick<SenderListProps, "account">) {
  const { words } = useLocale();
  return (
    <Empty
      icon="send"
      title={words.account.sendersEmptyTitle}
      command={`peyk sender add --account ${account} --sender 30001234`}
    >
      {words.account.sendersEmpty}
    </Empty>
  );
}

export interface SendersView {
  account: { id: string; name: string };
  senders: ListPart<AccountSenderView>;
  mayChange: boolean;
}

export function SendersPage({ shell, view }: { shell: Shell; view: SendersView }) {
  const locale = useLocale();
  const { words } = locale;
  const { account, senders, mayChange } = view;
  const path = `/accounts/${account.id}`;
  const [, part = ""] = shell.path.split("?");
  return (
    <PageLayout shell={shell} title={words.account.senders} above={{ title: account.name, href: path }}>
      <ListedRecords
        path={`${path}/senders`}
        title={words.account.senders}
        list={senders}
        columns={switchableColumns(locale, { path, mayChange, part })}
        keyOf={({ sender }) => sender}
      >
        <NoSenders account={account.id} />
      </ListedRecords>
    </PageLayout>
  );
}

interface SwitchProps {
  /** Of the account. */
  path: string;
  mayChange: boolean;
  /** What the address of the list asks for, to come back to it; null where they stand with their account. */
  part: string | null;
}

function switchableColumns(
  locale: Locale,
  { path, mayChange, part }: SwitchProps,
): readonly Column<AccountSenderView>[] {
  const { words } = locale;
  const columns = senderColumns(locale);
  const switched: Column<AccountSenderView> = {
    head: words.keys.head.actions,
    phone: "line",
    buttons: true,
    cell: ({ sender, state }) => (
      <PostForm action={`${path}/senders/switch`}>
        <input type="hidden" name="sender" value={sender} />
        {part === null ? null : <input type="hidden" name="part" value={part} />}
        <button
          type="submit"
          class="button button-quiet button-small"
          name="active"
          value={state === "off" ? "yes" : "no"}
        >
          {state === "off" ? words.account.senderOn : words.account.senderOff}
        </button>
      </PostForm>
    ),
  };
  return mayChange ? [...columns, switched] : columns;
}

function senderColumns({ words, format }: Locale): readonly Column<AccountSenderView>[] {
  const { head, defaultRoute } = words.account;
  return [
    { head: head.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: head.routes,
      phone: "word",
      cell: ({ routes, plan }) => {
        const named = plan === null ? routes : [plan, ...routes];
        return named.length === 0 ? defaultRoute : <Code>{named.join(", ")}</Code>;
      },
    },
    {
      head: head.messages,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ messagesThisMonth }) => format.number(messagesThisMonth),
    },
  ];
}
