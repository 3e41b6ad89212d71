/** The link to everything that a number wrote and was sent. */
import { Icon } from "../components/inline.tsx";
import { useLocale } from "../locale.ts";

/** `account`: null for a customer, who has one. */
export const conversationHref = (number: string, account: string | null, to = ""): string =>
  `/conversation?${new URLSearchParams({ number, ...(account !== null && { account }), ...(to !== "" && { to }) })}`;

interface ConversationLinkProps {
  number: string;
  account: string | null;
  isQuiet?: boolean;
}

export function ConversationLink({ number, account, isQuiet = false }: ConversationLinkProps) {
  const { words } = useLocale();
  return (
    <a class={isQuiet ? "button button-quiet button-small" : "button"} href={conversationHref(number, account)}>
      <Icon name="messages" />
      {words.actions.conversation}
    </a>
  );
}
