/** Patterns, groups with their imports, and pending approvals. */

import { memberColumns } from "../../../domain/member-columns.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput } from "../../format/input.ts";
import { accountOptions, namedAccount, resolveAccount } from "../../page/accounts-and-senders.ts";
import type { ChosenFiles } from "../../page/chosen-files.ts";
import { type FileImports, importEndOf, importProgressOf, refusedLinesOf } from "../../page/file-imports.ts";
import { columnChoices, formAtPreview, importStep, keepFile, layoutIn, leftOutIn } from "../../page/import-step.tsx";
import { askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
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
import { refusedFields } from "../../page/refusal.ts";
import { ApprovalsPage, codeHref } from "./decisions.tsx";
import { type GroupFields, GroupImport, GroupImportPage, GroupPage, GroupsPage, NewGroupPage } from "./groups.tsx";
import { noSample, PatternSampleShown, patternSampleOf, valueField } from "./pattern-sample.tsx";
import { NewPatternPage, type PatternFields, PatternPage, PatternsPage } from "./patterns.tsx";
import { decisionsWords, groupsWords } from "./words.ts";

type CodeCall = PageCall<{ readonly code: string }>;
type FileCall = PageCall<{ readonly code: string; readonly file: string }>;
type ImportCall = PageCall<{ readonly code: string; readonly id: string }>;

const isOwn = ({ viewer }: PageCall): boolean => viewer.accountId !== null;
/** The account named in the form; for a customer, the operator API fills it in. */
const ownerOf = (call: PageCall): Promise<string> | string => {
  const text = call.form.text("account");
  return isOwn(call) ? text : resolveAccount(call.api, text, call.locale);
};
/** `account`: null if only one account has the code. */
const at = ({ params, query }: CodeCall) => ({ code: params.code, account: query.get("account") });
const reference = (call: CodeCall) => {
  const { code, account } = at(call);
  return account === null ? { code } : { code, account };
};
const pathOf = (base: string, call: CodeCall, rest = ""): string => codeHref(base, at(call), rest);

/** The name of the account that owns a group or a pattern; a customer, who has one account, gets none. */
const ownerName = async (call: PageCall, account: string) =>
  isOwn(call) ? null : (await namedAccount(call.api, account)).name;

async function patterns(call: PageCall): Promise<PageAnswer> {
  const asked = askedPart(call.query);
  const items = shownPart(await call.api("GET /patterns", rangeOf(asked)), asked);
  const props = { patterns: items, isOwn: isOwn(call), mayChange: roleMay(call.viewer.role, "patterns.change") };
  return document(<PatternsPage shell={call.shell("patterns")} {...props} />);
}

async function newPattern(call: PageCall, fields: PatternFields, errors: FieldErrors) {
  const accounts = await accountOptions(call.api, isOwn(call));
  return <NewPatternPage shell={call.shell("patterns")} view={{ fields, accounts, errors }} />;
}

async function addPattern(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const fields = {
    account: form.text("account"),
    code: form.text("code"),
    name: form.text("name"),
    text: form.raw("text"),
    sender: cleanInput(form.text("sender")),
  };
  try {
    const body = { ...fields, account: await ownerOf(call), sender: fields.sender === "" ? null : fields.sender };
    const { code, account } = await api("POST /patterns", body);
    return redirect(
      codeHref("/patterns", { code, account: isOwn(call) ? null : account }),
      <Notice tone="ok">{decisionsWords[locale.language].added}</Notice>,
    );
  } catch (reason) {
    return formAgain(await newPattern(call, fields, codeRefused(reason, call)));
  }
}

/** Includes the error that the code is already in use. */
function codeRefused(reason: unknown, { locale }: PageCall): FieldErrors {
  const isTaken = reason instanceof OperatorError && ["pattern_exists", "group_exists"].includes(reason.code);
  return isTaken ? { code: decisionsWords[locale.language].codeTaken } : refusedFields(reason, locale);
}

async function pattern(call: CodeCall, typed = noSample): Promise<PageAnswer> {
  const found = await call.api("GET /patterns/:code", reference(call));
  const sample = await patternSampleOf(call.api, call.locale, found, typed);
  if (call.isPiece) return partial(<PatternSampleShown sample={sample} />);
  const { code } = found;
  const account = isOwn(call) ? null : found.account;
  return document(
    <PatternPage
      shell={call.shell("patterns")}
      pattern={found}
      sample={sample}
      owner={await ownerName(call, found.account)}
      href={(rest) => codeHref("/patterns", { code, account }, rest)}
      mayApprove={roleMay(call.viewer.role, "patterns.approve")}
    />,
  );
}

/** Nothing is sent or stored. */
function previewPattern(call: CodeCall): Promise<PageAnswer> {
  const { form } = call;
  const fields = form.names().filter((name) => name.startsWith(valueField));
  const values = new Map(fields.map((name) => [name.slice(valueField.length), form.raw(name)]));
  return pattern(call, { values, to: cleanInput(form.text("to")) });
}

function decidePattern(what: "approve" | "suspend") {
  return async (call: CodeCall): Promise<PageAnswer> => {
    const decision = { by: call.viewer.user, ...reference(call) };
    await call.api(`POST /patterns/:code/${what}`, decision);
    return redirect(
      pathOf("/patterns", call),
      <Notice tone="ok">{decisionsWords[call.locale.language].done[what]}</Notice>,
    );
  };
}

async function groups(call: PageCall): Promise<PageAnswer> {
  const asked = askedPart(call.query);
  const items = shownPart(await call.api("GET /groups", rangeOf(asked)), asked);
  const props = { groups: items, isOwn: isOwn(call), mayChange: roleMay(call.viewer.role, "groups.change") };
  return document(<GroupsPage shell={call.shell("groups")} {...props} />);
}

async function newGroup(call: PageCall, fields: GroupFields, errors: FieldErrors) {
  const accounts = await accountOptions(call.api, isOwn(call));
  return <NewGroupPage shell={call.shell("groups")} view={{ fields, accounts, errors }} />;
}

async function addGroup(call: PageCall): Promise<PageAnswer> {
  const { api, form } = call;
  const fields = { account: form.text("account"), code: form.text("code"), name: form.text("name") };
  try {
    const { code, account } = await api("POST /groups", { ...fields, account: await ownerOf(call) });
    return redirect(codeHref("/groups", { code, account: isOwn(call) ? null : account }));
  } catch (reason) {
    return formAgain(await newGroup(call, fields, codeRefused(reason, call)));
  }
}

async function groupPage(call: CodeCall, errors: FieldErrors = {}) {
  const { role } = call.viewer;
  const may = { change: roleMay(role, "groups.change"), approve: roleMay(role, "groups.approve") };
  const group = await call.api("GET /groups/:code", reference(call));
  const { code } = group;
  const account = isOwn(call) ? null : group.account;
  return (
    <GroupPage
      shell={call.shell("groups")}
      group={group}
      owner={await ownerName(call, group.account)}
      href={(rest) => codeHref("/groups", { code, account }, rest)}
      may={may}
      errors={errors}
    />
  );
}

function decideGroup(what: "approve" | "suspend") {
  return async (call: CodeCall): Promise<PageAnswer> => {
    const { language } = call.locale;
    try {
      const decision = { by: call.viewer.user, ...reference(call) };
      await call.api(`POST /groups/:code/${what}`, decision);
    } catch (reason) {
      if (!(reason instanceof OperatorError) || reason.code !== "nothing_to_approve") throw reason;
      return redirect(pathOf("/groups", call), <Notice tone="bad">{groupsWords[language].nothingToApprove}</Notice>);
    }
    return redirect(pathOf("/groups", call), <Notice tone="ok">{decisionsWords[language].done[what]}</Notice>);
  };
}

const groupPath = (call: CodeCall, rest = ""): string => pathOf("/groups", call, rest);

async function chooseFile(call: CodeCall, { files }: FileImportPagesDeps): Promise<PageAnswer> {
  const id = await keepFile(call, files);
  if (id === null) return formAgain(await groupPage(call, { file: groupsWords[call.locale.language].noFile }));
  return redirect(groupPath(call, `/preview/${id}`));
}

async function previewImport(call: FileCall, { files }: FileImportPagesDeps): Promise<PageAnswer> {
  const file = files.of(call.viewer.userId, call.params.file);
  if (file === null) return formAgain(await groupPage(call, { file: call.locale.words.imports.gone }));
  const { name } = await call.api("GET /groups/:code", reference(call));
  const back = groupPath(call);
  const path = (step: string) => groupPath(call, `/${step}/${call.params.file}`);
  return importStep(call, file, {
    page: { place: "groups", above: { title: name, href: back } },
    isLimited: true,
    choices: columnChoices(call.locale, memberColumns),
    action: path("import"),
    check: path("preview"),
    back,
  });
}

async function startImport(call: FileCall, { files, imports }: FileImportPagesDeps): Promise<PageAnswer> {
  const { form, viewer, api, params } = call;
  const file = files.of(viewer.userId, params.file);
  if (file === null) return formAgain(await groupPage(call, { file: call.locale.words.imports.gone }));
  const { code, name, account } = await api("GET /groups/:code", reference(call));
  const sent = { file: new Blob([file.bytes]) };
  const reading = { ...layoutIn(form), ...leftOutIn(form) };
  const answer = await api("POST /groups/:code/import", { ...reference(call), ...reading }, sent);
  files.drop(params.file);
  const group = { name, href: codeHref("/groups", { code, account: isOwn(call) ? null : account }) };
  const id = imports.start(viewer.userId, { kind: "group", group }, file.bytes, answer.body);
  return redirect(groupPath(call, `/imports/${id}`));
}

function runningImport(call: ImportCall, imports: FileImports) {
  const found = imports.of(call.viewer.userId, call.params.id);
  if (found?.into.kind !== "group") throw new OperatorError("not_found");
  return { ...found, group: found.into.group };
}

function showImport(call: ImportCall, imports: FileImports): PageAnswer {
  const running = runningImport(call, imports);
  const progress = importProgressOf(running, groupPath(call, `/imports/${call.params.id}/refused`), call.locale);
  const view = {
    group: running.group,
    end: importEndOf(running, call.locale),
    href: groupPath(call, `/imports/${call.params.id}`),
    progress,
  };
  if (call.isPiece) return partial(<GroupImport view={view} />);
  return document(<GroupImportPage shell={call.shell("groups")} view={view} />);
}

function refusedLines(call: ImportCall, imports: FileImports): PageAnswer {
  return download("refused.csv", "text/csv; charset=utf-8", refusedLinesOf(runningImport(call, imports), call.locale));
}

const patternPages = [
  page({ method: "GET", path: "/patterns", action: "patterns.read", answer: patterns }),
  page({
    method: "GET",
    path: "/patterns/new",
    action: "patterns.change",
    answer: async (call) =>
      document(await newPattern(call, { account: "", code: "", name: "", text: "", sender: "" }, {})),
  }),
  page({ method: "POST", path: "/patterns/new", action: "patterns.change", answer: addPattern }),
  page({ method: "GET", path: "/patterns/:code", action: "patterns.read", answer: (call) => pattern(call) }),
  page({ method: "POST", path: "/patterns/:code/preview", action: "patterns.read", answer: previewPattern }),
  page({
    method: "POST",
    path: "/patterns/:code/approve",
    action: "patterns.approve",
    answer: decidePattern("approve"),
  }),
  page({
    method: "POST",
    path: "/patterns/:code/suspend",
    action: "patterns.approve",
    answer: decidePattern("suspend"),
  }),
];

export interface FileImportPagesDeps {
  files: ChosenFiles;
  imports: FileImports;
}

function groupPages(deps: FileImportPagesDeps) {
  const { imports } = deps;
  return [
    page({ method: "GET", path: "/groups", action: "groups.read", answer: groups }),
    page({
      method: "GET",
      path: "/groups/new",
      action: "groups.change",
      answer: async (call) => document(await newGroup(call, { account: "", code: "", name: "" }, {})),
    }),
    page({ method: "POST", path: "/groups/new", action: "groups.change", answer: addGroup }),
    page({
      method: "GET",
      path: "/groups/:code",
      action: "groups.read",
      answer: async (call) => document(await groupPage(call)),
    }),
    page({ method: "POST", path: "/groups/:code/approve", action: "groups.approve", answer: decideGroup("approve") }),
    page({ method: "POST", path: "/groups/:code/suspend", action: "groups.approve", answer: decideGroup("suspend") }),
    page({
      method: "POST",
      path: "/groups/:code/preview",
      action: "groups.change",
      answer: (call) => chooseFile(call, deps),
    }),
    page({
      method: "GET",
      path: "/groups/:code/preview/:file",
      action: "groups.change",
      answer: (call) => previewImport(call, deps),
    }),
    page({
      method: "POST",
      path: "/groups/:code/preview/:file",
      action: "groups.change",
      answer: (call) => previewImport(call, deps),
    }),
    page({
      method: "POST",
      path: "/groups/:code/import/:file",
      action: "groups.change",
      formAt: formAtPreview,
      answer: (call) => startImport(call, deps),
    }),
    page({
      method: "GET",
      path: "/groups/:code/imports/:id",
      action: "groups.change",
      answer: (call) => showImport(call, imports),
    }),
    page({
      method: "GET",
      path: "/groups/:code/imports/:id/refused",
      action: "groups.change",
      answer: (call) => refusedLines(call, imports),
    }),
  ];
}

export function approvedPages(deps: FileImportPagesDeps) {
  return [
    ...patternPages,
    ...groupPages(deps),
    page({
      method: "GET",
      path: "/approvals",
      action: "groups.approve",
      answer: async ({ api, query, shell }) => {
        const asked = askedPart(query);
        const waiting = shownPart(await api("GET /approvals", rangeOf(asked)), asked);
        return document(<ApprovalsPage shell={shell("approvals")} waiting={waiting} />);
      },
    }),
  ];
}
