/** `peyk group …`: lists of people to whom an account may send one text, and their approval. */
import { memberColumns } from "../domain/member-columns.ts";
import type { GroupAnswer, GroupDetailAnswer } from "../operator/groups.ts";
import { approvalAction, approvalVerb, codeVerb, formatApprovals } from "./approval.ts";
import { importedText, importFile, previewFile, previewText } from "./group-import.ts";
import type { CliIo } from "./io.ts";
import { ownedListVerb } from "./list.ts";
import { formatFields, formatTable, joinLines, shortTime } from "./text.ts";
import { ask, noun, print, verb } from "./verb.ts";

export function groupCommand(io: CliIo) {
  return noun("group", "approved groups: people to whom an account may send one text")
    .addCommand(create(io))
    .addCommand(importMembers(io))
    .addCommand(approve(io))
    .addCommand(suspend(io))
    .addCommand(list(io))
    .addCommand(show(io));
}

function create(io: CliIo) {
  const words = {
    does: "create an empty group",
    examples: ['peyk group create --account acc_1 --code spring --name "Spring offer"'],
  };
  return verb("create", words)
    .requiredOption("--account <id>", "the account that may send to it")
    .requiredOption("--code <code>", "its name in the account's requests; letters, digits, dots, dashes, underscores")
    .requiredOption("--name <name>", "a name for people")
    .action(({ account, code, name, ...options }) => {
      const created = (group: GroupAnswer) =>
        oneGroup(group) + joinLines([`Import its members: peyk group import ${code} --csv FILE`]);
      return ask(io, options, (api) => api("POST /groups", { account, code, name }), created);
    });
}

function importMembers(io: CliIo) {
  const words = {
    does: "replace the group's draft by the members of a file; sends take the approved list until the draft is approved",
    examples: [
      "peyk group import spring --csv members.csv --preview",
      "peyk group import spring --csv members.csv --columns fullName,-,mobile",
      "cat members.csv | peyk group import spring --csv -",
    ],
  };
  return codeVerb("import", words)
    .requiredOption(
      "--csv <file>",
      "UTF-8, commas or semicolons; columns mobile, firstName, lastName, fullName, also in Persian; - for standard input",
    )
    .option(
      "--columns <list>",
      `what each column is, in their order and by commas: ${memberColumns.join(", ")}, or - to leave it out; otherwise its header says so`,
    )
    .option("--no-header", "with --columns: the first line is a member, too")
    .option("--preview", "look the file through, with every wrong line, and import nothing")
    .action(async (code, { csv, columns, header, preview, ...options }) => {
      const file = { code, account: options.account, csv, columns, header };
      if (preview === true) print(io, options, await previewFile(io, options, file), previewText);
      else print(io, options, await importFile(io, options, file), importedText);
    });
}

function approve(io: CliIo) {
  const words = {
    does: "let the account send to the group's draft, or to a suspended group again",
    examples: ["peyk group approve spring", "peyk group approve spring --account acc_2 --by maryam"],
  };
  return approvalVerb("approve", words).action((code, options) =>
    ask(io, options, (api) => api("POST /groups/:code/approve", { code, ...approvalAction(io, options) }), oneGroup),
  );
}

function suspend(io: CliIo) {
  const words = {
    does: "refuse new messages to the group; messages that wait are still sent",
    examples: ["peyk group suspend spring"],
  };
  return approvalVerb("suspend", words).action((code, options) =>
    ask(io, options, (api) => api("POST /groups/:code/suspend", { code, ...approvalAction(io, options) }), oneGroup),
  );
}

function list(io: CliIo) {
  return ownedListVerb(
    io,
    { does: "list groups", examples: ["peyk group list --account acc_1"] },
    {
      part: (api, query) => api("GET /groups", query),
      whole: ({ accountName: _, ...row }) => row,
      table: groupTable,
    },
  );
}

function show(io: CliIo) {
  const words = { does: "show a group and its approvals", examples: ["peyk group show spring"] };
  return codeVerb("show", words).action((code, options) =>
    ask(io, options, (api) => api("GET /groups/:code", { code, account: options.account }), groupDetailText),
  );
}

const oneGroup = (group: GroupAnswer) => groupTable([group]);
const draftText = ({ draft }: GroupAnswer) => (draft === null ? "-" : `${draft.recipientCount} to approve`);

function groupTable(groups: readonly GroupAnswer[]): string {
  if (groups.length === 0) {
    return "There are no groups. Create one: peyk group create --account ID --code CODE --name NAME\n";
  }
  const rows = groups.map((group) => [
    group.account,
    group.code,
    group.name,
    group.status,
    String(group.recipientCount),
    shortTime(group.approvedAt),
    draftText(group),
  ]);
  return formatTable(["ACCOUNT", "GROUP", "NAME", "STATUS", "MEMBERS", "APPROVED", "DRAFT"], rows);
}

function groupDetailText(group: GroupDetailAnswer): string {
  const head = formatFields([
    ["Group", group.code],
    ["Account", group.account],
    ["Name", group.name],
    ["Status", group.status],
    ["Members", String(group.recipientCount)],
    ["Approved", group.approvedAt === null ? "-" : `${shortTime(group.approvedAt)} by ${group.approvedBy ?? "-"}`],
    ["Draft", draftText(group)],
  ]);
  return `${head}\n${formatApprovals(group.decisions)}`;
}
