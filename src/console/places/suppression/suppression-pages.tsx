/** Suppression lists, for operators. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { cleanInput } from "../../format/input.ts";
import { accountNames, accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import { type FileImports, importEndOf, importProgressOf, refusedLinesOf } from "../../page/file-imports.ts";
import { columnChoices, formAtPreview, importStep, keepFile, layoutIn, leftOutIn } from "../../page/import-step.tsx";
import {
  document,
  download,
  formAgain,
  type PageAnswer,
  type PageCall,
  page,
  partial,
  redirect,
} from "../../page/page.ts";
import { refusedFields, UnknownAccount } from "../../page/refusal.ts";
import type { FileImportPagesDeps } from "../approvals/approvals-pages.tsx";
import {
  globalList,
  removeQuestion,
  SuppressionImport,
  SuppressionImportPage,
  SuppressionPage,
  type SuppressionView,
  suppressionHref,
} from "./suppression.tsx";
import { suppressionWords } from "./words.ts";

type FileCall = PageCall<{ readonly file: string }>;
type ImportCall = PageCall<{ readonly id: string }>;

/** The list on the page: null for every list, otherwise the global one or an account's. */
const shownList = ({ query }: PageCall): string | null => query.get("account") || null;
/** The list that a form changes; null: the list of all accounts. */
function accountOf(call: PageCall): string | null {
  const list = shownList(call);
  return list === globalList ? null : list;
}
const inQuery = (account: string | null) => (account === null ? {} : { account });

const emptyForm: SuppressionView["form"] = { number: "", note: "", errors: {} };

/** `error`: the address names no existing list. */
async function suppressionPage(call: PageCall, form = emptyForm, error?: string) {
  const { api, query, shell } = call;
  const list = error === undefined ? shownList(call) : null;
  const asked = { account: query.get("account") ?? "", ...(error !== undefined && { error }) };
  const sought = cleanInput(query.get("find") ?? "");
  const [accounts, found] = await Promise.all([
    accountOptions(api),
    sought === "" ? listed(call, list) : { entries: await onEveryList(call, sought), older: null },
  ]);
  const lists = [list === globalList ? null : list, ...found.entries.map(({ account }) => account)];
  const names = await accountNames(api, lists);
  return <SuppressionPage shell={shell("system")} view={{ list, asked, accounts, names, sought, form, ...found }} />;
}

/** An account typed by name is put into the address by its id, which all further links use. */
async function showList(call: PageCall): Promise<PageAnswer> {
  const account = accountOf(call);
  if (account === null) return document(await suppressionPage(call));
  try {
    const id = await resolveAccount(call.api, account, call.locale);
    if (id === account) return document(await suppressionPage(call));
    const find = call.query.get("find") ?? "";
    return redirect(suppressionHref(id, "", find === "" ? {} : { find }));
  } catch (reason) {
    if (!(reason instanceof UnknownAccount)) throw reason;
    return formAgain(await suppressionPage(call, emptyForm, reason.message));
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

async function add(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const typed = { number: cleanInput(form.text("number")), note: form.text("note") };
  const account = accountOf(call);
  try {
    const { number } = await api("POST /suppressions", { ...typed, ...inQuery(account) });
    const say = suppressionWords[locale.language];
    const added = account === null ? say.addedForAll : say.added[await scopeOf(call, account)];
    const notice = <Notice tone="ok">{added(number)}</Notice>;
    return redirect(suppressionHref(account), notice);
  } catch (reason) {
    const errors = refusedFields(reason, locale);
    const told =
      errors.number === undefined ? errors : { ...errors, number: suppressionWords[locale.language].noNumber };
    return formAgain(await suppressionPage(call, { ...typed, errors: told }));
  }
}

/** Which of an account's messages the lists block. */
const scopeOf = async ({ api }: PageCall, id: string) => (await api("GET /accounts/:id", { id })).suppression;

async function remove(call: PageCall): Promise<PageAnswer> {
  const { api, query, locale } = call;
  const account = accountOf(call);
  const number = query.get("number") ?? "";
  await api("DELETE /suppressions/:number", { number, ...inQuery(account) });
  const notice = <Notice tone="ok">{suppressionWords[locale.language].removed(number)}</Notice>;
  return redirect(suppressionHref(account), notice);
}

const fileError = (call: PageCall, file: string) => suppressionPage(call, { ...emptyForm, errors: { file } });

async function chooseFile(call: PageCall, { files }: FileImportPagesDeps): Promise<PageAnswer> {
  const id = await keepFile(call, files);
  if (id === null) return formAgain(await fileError(call, suppressionWords[call.locale.language].noFile));
  return redirect(suppressionHref(accountOf(call), `/preview/${id}`));
}

async function previewImport(call: FileCall, { files }: FileImportPagesDeps): Promise<PageAnswer> {
  const { locale, viewer, params } = call;
  const file = files.of(viewer.userId, params.file);
  if (file === null) return formAgain(await fileError(call, locale.words.imports.gone));
  const account = accountOf(call);
  const back = suppressionHref(account);
  return importStep(call, file, {
    page: { place: "system", above: { title: locale.words.places.suppression, href: back } },
    isLimited: false,
    choices: columnChoices(locale, ["mobile"]),
    action: suppressionHref(account, `/import/${params.file}`),
    check: suppressionHref(account, `/preview/${params.file}`),
    back,
  });
}

async function startImport(call: FileCall, { files, imports }: FileImportPagesDeps): Promise<PageAnswer> {
  const { form, api, viewer, locale, params } = call;
  const account = accountOf(call);
  const file = files.of(viewer.userId, params.file);
  if (file === null) return formAgain(await fileError(call, locale.words.imports.gone));
  const into = { ...inQuery(account), name: file.name.slice(0, 120), ...layoutIn(form), ...leftOutIn(form) };
  const answer = await api("POST /suppressions/import", into, { file: new Blob([file.bytes]) });
  files.drop(params.file);
  const id = imports.start(viewer.userId, { kind: "suppression", account }, file.bytes, answer.body);
  return redirect(`/suppression/imports/${id}`);
}

function runningImport({ viewer, params }: ImportCall, imports: FileImports) {
  const found = imports.of(viewer.userId, params.id);
  if (found?.into.kind !== "suppression") throw new OperatorError("not_found");
  return { ...found, account: found.into.account };
}

function showImport(call: ImportCall, imports: FileImports): PageAnswer {
  const href = `/suppression/imports/${call.params.id}`;
  const running = runningImport(call, imports);
  const progress = importProgressOf(running, `${href}/refused`, call.locale);
  const view = { account: running.account, end: importEndOf(running, call.locale), href, progress };
  if (call.isPiece) return partial(<SuppressionImport view={view} />);
  return document(<SuppressionImportPage shell={call.shell("system")} view={view} />);
}

async function exportList(call: PageCall): Promise<PageAnswer> {
  const { body } = await call.api("GET /suppressions/export", inQuery(accountOf(call)), { signal: call.signal });
  return download("suppression.csv", "text/csv; charset=utf-8", body);
}

export function suppressionPages(deps: FileImportPagesDeps) {
  const { imports } = deps;
  const action = "suppression.change";
  return [
    page({
      method: "GET",
      path: "/suppression",
      action: "suppression.read",
      answer: showList,
    }),
    page({ method: "GET", path: "/suppression/export", action: "suppression.read", answer: exportList }),
    page({ method: "POST", path: "/suppression", action, answer: add }),
    page({
      method: "GET",
      path: "/suppression/remove",
      action,
      answer: (call) => {
        const question = removeQuestion(accountOf(call), call.query.get("number") ?? "", call.locale);
        return document(<ConfirmPage shell={call.shell("system")} view={question} />);
      },
    }),
    page({ method: "POST", path: "/suppression/remove", action, answer: remove }),
    page({ method: "POST", path: "/suppression/preview", action, answer: (call) => chooseFile(call, deps) }),
    page({ method: "GET", path: "/suppression/preview/:file", action, answer: (call) => previewImport(call, deps) }),
    page({ method: "POST", path: "/suppression/preview/:file", action, answer: (call) => previewImport(call, deps) }),
    page({
      method: "POST",
      path: "/suppression/import/:file",
      action,
      formAt: formAtPreview,
      answer: (call) => startImport(call, deps),
    }),
    page({ method: "GET", path: "/suppression/imports/:id", action, answer: (call) => showImport(call, imports) }),
    page({
      method: "GET",
      path: "/suppression/imports/:id/refused",
      action,
      answer: (call) =>
        download("refused.csv", "text/csv; charset=utf-8", refusedLinesOf(runningImport(call, imports), call.locale)),
    }),
  ];
}
