/** The same by command or by curl: folded beside the heading; a drawer where it is open. A script fills in what is typed. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useLocale } from "../locale.ts";
import { CopyButton } from "./blocks.tsx";
import { Code, Icon } from "./inline.tsx";
import { useIsCustomer, useShell } from "./navigation.tsx";
import { sameCommands, sameRequests } from "./same-calls.ts";

interface SamePage {
  /** As it is declared. */
  page: string;
  params: Readonly<Record<string, string>>;
}

const SamePageContext = createContext<SamePage | null>(null);

export const SamePageProvider = SamePageContext.Provider;

const plainWord = /^[\w@%+=:,./-]+$/;
/** For a shell. */
export const quoted = (word: string) => (plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const withParams = (text: string, params: SamePage["params"], written: (value: string) => string) =>
  text.replace(/:([a-z]+)/g, (_, name: string) => written(params[name] ?? ""));

/** A control's value in the address; for what is needed and not there, its name in capitals. */
const given = (query: URLSearchParams, control: string, flag: string) =>
  query.get(control) || (flag.includes("!") ? control.toUpperCase() : "");

function flagText(flag: string, value: string): string {
  const bare = flag.replace(/[!*]/g, "");
  const [first = "", second] = bare.split("/");
  if (second !== undefined) {
    const [account = "", ...sender] = value.split("/");
    return sender.length === 0
      ? `${first} ACCOUNT ${second} ${quoted(value)}`
      : `${first} ${account} ${second} ${quoted(sender.join("/"))}`;
  }
  const chosen = bare.includes("|") ? (bare.split("|")[/^[+\d\s]{4,}$/.test(value) ? 0 : 1] ?? "") : bare;
  return chosen === "" ? quoted(value) : `${chosen} ${quoted(value)}`;
}

const lineMax = 60;
/** A long command has a line for each of its flags. */
const lines = (words: readonly string[]) => words.join(words.join(" ").length > lineMax ? " \\\n  " : " ");

interface Written {
  /** For the script, which writes it again with what is typed. */
  template: string;
  text: string;
}

/** Null for a page that has none. */
export function sameCalls({ page, params }: SamePage, path: string, isCustomer: boolean): Written[] | null {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  if (!isCustomer) {
    const commands = sameCommands[page];
    return (
      commands?.map(({ run, flags }) => {
        const begin = `peyk ${withParams(run, params, quoted)}`;
        const words = Object.entries(flags).flatMap(([control, flag]) => {
          const value = given(query, control, flag);
          return value === "" ? [] : [flagText(flag, value)];
        });
        return { template: JSON.stringify({ begin, flags }), text: lines([begin, ...words]) };
      }) ?? null
    );
  }
  const request = sameRequests[page];
  if (request === undefined) return null;
  const { method, fields } = request;
  const url = `"$SMS_URL${withParams(request.path, params, encodeURIComponent)}"`;
  const begin = [`curl${method === "POST" ? " -X POST" : ""} ${url}`, '-H "X-API-Key: $SMS_KEY"'];
  if (method === "POST") begin.push(`-H "Idempotency-Key: ${page.slice(1).replaceAll(/\W+/g, "-")}-1"`);
  const hasBody = Object.keys(fields).length > 0;
  if (hasBody) begin.push('-H "Content-Type: application/json"');
  const body = Object.entries(fields).flatMap(([control, field]) => {
    const value = given(query, control, field);
    return value === "" ? [] : [[field.replace("!", ""), value]];
  });
  const text = [...begin, ...(hasBody ? [`-d ${quoted(JSON.stringify(Object.fromEntries(body), null, 2))}`] : [])];
  return [{ template: JSON.stringify({ begin: begin.join(" \\\n  "), fields }), text: text.join(" \\\n  ") }];
}

export function Same() {
  const { words } = useLocale();
  const { path } = useShell();
  const isCustomer = useIsCustomer();
  const shown = useContext(SamePageContext);
  const calls = shown === null ? null : sameCalls(shown, path, isCustomer);
  if (calls === null) return null;
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
        <pre class="code-lines drawer-code" dir="ltr">
          {calls.map(({ template, text }) => (
            <code key={template} data-same={template}>
              {text}
            </code>
          ))}
        </pre>
        <CopyButton text={calls.map(({ text }) => text).join("\n")} />
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
