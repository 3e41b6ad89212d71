/** Suppression lists, for operators. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { cleanInput } from "../../format/input.ts";
import { accountNames, accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import { type FileImportPagesDeps, importPages } from "../../page/import-pages.tsx";
import { download, formAgain, type PageAnswer, type PageCall, redirect } from "../../page/page.ts";
import { refusedFields, UnknownAccount } from "../../page/refusal.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { globalList, SuppressionPage, suppressionHref } from "./suppression.tsx";
import { suppressionWords } from "./words.ts";

const usual = usualPages("system", { read: "suppression.read", change: "suppression.change" });
const { shown, form, question } = usual;

const wordsOf = ({ locale }: PageCall) => suppressionWords[locale.language];

/** The list on the page: null for every list, otherwise the global one or an account's. */
const shownList = ({ query }: PageCall): string | null => query.get("account") || null;
/** The list that a form changes; null: the list of all accounts. */
function accountOf(call: PageCall): string | null {
  const list = shownList(call);
  return list === globalList ? null : list;
}
const inQuery = (account: string | null) => (account === null ? {} : { account });

/** `error`: the address names no existing list. */
async function lists(call: PageCall, error?: string) {
  const { api, query } = call;
  const list = error === undefined ? shownList(call) : null;
  const asked = { account: query.get("account") ?? "", ...(error !== undefined && { error }) };
  const sought = cleanInput(query.get("find") ?? "");
  const [accounts, found] = await Promise.all([
    accountOptions(api),
    sought === "" ? listed(call, list) : { entries: await onEveryList(call, sought), older: null },
  ]);
  const shownLists = [list === globalList ? null : list, ...found.entries.map(({ account }) => account)];
  const names = await accountNames(api, shownLists);
  return {
    list,
    asked,
    accounts,
    names,
    sought,
    texts: { number: found.entries.length === 0 ? sought : "", note: "" },
    ...found,
  };
}

/** An account typed by name is put into the address by its id, which all further links use. */
async function load(call: PageCall) {
  const account = accountOf(call);
  if (account === null) return lists(call);
  try {
    const id = await resolveAccount(call.api, account, call.locale);
    if (id === account) return lists(call);
    const find = call.query.get("find") ?? "";
    return redirect(suppressionHref(id, "", find === "" ? {} : { find }));
  } catch (reason) {
    if (!(reason instanceof UnknownAccount)) throw reason;
    return formAgain(<SuppressionPage {...(await lists(call, reason.message))} errors={{}} />);
  }
}

async function listed({ api, query }: PageCall, list: string | null) {
  const cursor = query.get("before");
  const one = list === globalList ? { global: true as const } : inQuery(list);
  const asked = { ...one, ...(cursor !== null && { cursor }) };
  const { numbers, nextCursor } = await api("GET /suppressions", asked);
  return {
    entries: numbers,
    older: nextCursor === null ? null : suppressionHref(list, "", { before: nextCursor }),
  };
}

/** Empty for text that is not a number. */
async function onEveryList({ api }: PageCall, number: string) {
  try {
    return await api("GET /suppressions/:number", { number });
  } catch (reason) {
    if (reason instanceof OperatorError && reason.code === "invalid") return [];
    throw reason;
  }
}

/** Which of an account's messages the lists block. */
const scopeOf = async ({ api }: PageCall, id: string) => (await api("GET /accounts/:id", { id })).suppression;

const list = form("/suppression", {
  opens: "suppression.read",
  load,
  View: SuppressionPage,
  typed: ({ form }) => ({ texts: { number: cleanInput(form.text("number")), note: form.text("note") } }),
  async run(call, { texts }) {
    const account = accountOf(call);
    const { number } = await call.api("POST /suppressions", { ...texts, ...inQuery(account) });
    const say = wordsOf(call);
    const added = account === null ? say.addedForAll : say.added[await scopeOf(call, account)];
    return done(suppressionHref(account), added(number));
  },
  refused(reason, call) {
    const errors = refusedFields(reason, call.locale);
    return errors.number === undefined ? errors : { ...errors, number: wordsOf(call).noNumber };
  },
});

const removal = question("/suppression/remove", {
  ask(call) {
    const back = suppressionHref(accountOf(call));
    return { words: wordsOf(call).removing, name: call.query.get("number") ?? "", back };
  },
  async run(call) {
    const account = accountOf(call);
    const number = call.query.get("number") ?? "";
    await call.api("DELETE /suppressions/:number", { number, ...inQuery(account) });
    return done(suppressionHref(account), wordsOf(call).removed(number));
  },
});

async function exportList(call: PageCall): Promise<PageAnswer> {
  const { body } = await call.api("GET /suppressions/export", inQuery(accountOf(call)), { signal: call.signal });
  return download("suppression.csv", "text/csv; charset=utf-8", body);
}

export const suppressionPages = (deps: FileImportPagesDeps) => [
  ...list,
  ...removal,
  shown("/suppression/export", exportList),
  ...importPages<object>(
    usual,
    {
      kind: "suppression",
      path: "/suppression",
      change: "suppression.change",
      columns: ["mobile"],
      isLimited: false,
      words: suppressionWords,
      href: (call, rest) => suppressionHref(accountOf(call), rest),
      runHref: (_, rest) => `/suppression${rest}`,
      named: (call) => ({ name: null, href: suppressionHref(accountOf(call)) }),
      send(call, { name, bytes }, reading) {
        const into = { ...inQuery(accountOf(call)), name: name.slice(0, 120), ...reading };
        return call.api("POST /suppressions/import", into, { file: new Blob([bytes]) });
      },
      refused: async (call, file) => <SuppressionPage {...(await lists(call))} errors={{ file }} />,
    },
    deps,
  ),
];
