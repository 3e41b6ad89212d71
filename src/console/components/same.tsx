/** The same by command or by curl: folded beside the heading; a drawer where it is open. A script fills in what is typed. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type SameCall, SameText } from "../client/same-text.ts";
import { useLocale } from "../locale.ts";
import { CopyButton } from "./blocks.tsx";
import { Code, Icon } from "./inline.tsx";
import { useIsCustomer, useShell } from "./navigation.tsx";
import { sameCommands, sameForms, sameRequests } from "./same-calls.ts";

interface SamePage {
  /** As it is declared. */
  page: string;
  params: Readonly<Record<string, string>>;
}

const SamePageContext = createContext<SamePage | null>(null);

export const SamePageProvider = SamePageContext.Provider;

/** The page that has the form or button of an address: the nearest one above it. */
function pageOfForm(address: string): string {
  const above = Object.keys(sameCommands).filter((page) => address.startsWith(`${page}/`));
  return above.sort((one, other) => other.length - one.length)[0] ?? "/";
}

const formsByPage = Map.groupBy(Object.entries(sameForms), ([address]) => pageOfForm(address));

/** Empty for a page that has none. */
export function sameCalls({ page, params }: SamePage, isCustomer: boolean): SameCall[] {
  const forms = (formsByPage.get(page) ?? []).flatMap(([, calls]) => calls);
  const calls = isCustomer ? (sameRequests[page] ?? []) : [...(sameCommands[page] ?? []), ...forms];
  return calls.map((call) => ({ ...call, params }));
}

/** With what the address says, until a script fills in what is typed. */
export function writtenCall(call: SameCall, path: string): string {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  return new SameText(call, (control) => query.getAll(control === "recipients" ? "to" : control)).text;
}

export function Same() {
  const { words } = useLocale();
  const { path } = useShell();
  const isCustomer = useIsCustomer();
  const shown = useContext(SamePageContext);
  const calls = shown === null ? [] : sameCalls(shown, isCustomer);
  if (calls.length === 0) return null;
  const say = words.same;
  const title = isCustomer ? say.curl : say.command;
  return (
    <details class="same">
      <summary class="button button-quiet">
        <Icon name="code" />
        <span class="same-open">{title}</span>
        <span class="same-close">{words.layout.close}</span>
      </summary>
      <section class="drawer" aria-label={title}>
        <h2>{title}</h2>
        <p class="muted">{say.follows}</p>
        {calls.map((call) => {
          const text = writtenCall(call, path);
          return (
            <div key={text} class="drawer-call">
              <pre class="code-lines drawer-code" dir="ltr">
                <code data-same={JSON.stringify(call)}>{text}</code>
              </pre>
              <CopyButton text={text} />
            </div>
          );
        })}
        <p class="muted">
          {isCustomer ? (
            <>
              <Code>$SMS_KEY</Code> {say.key}
            </>
          ) : (
            say.secrets
          )}
        </p>
      </section>
    </details>
  );
}
