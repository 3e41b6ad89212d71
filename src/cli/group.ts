/** `peyk group …`: lists of people to whom an account may send one text, and their approval. */

import { memberColumns } from "../domain/member-columns.ts";
import { patternFields } from "../fields/pattern.ts";
import type { GroupAnswer, GroupDetailAnswer } from "../operator/groups.ts";
import { decided, formatApprovals, ofDecision, ofOneCode } from "./approval.ts";
import { calls, lists, must, noun, ofOneAccount, typed, withoutAccountName } from "./declared.ts";
import { importedText, importFile, previewFile, previewText } from "./group-import.ts";
import type { CliIo } from "./io.ts";
import { formatFields, joinLines, shortTime, tableOf } from "./text.ts";
import { print, verb } from "./verb.ts";

function draftText({ draft }: GroupAnswer): string {
  return draft === null ? "-" : `${draft.recipientCount} to approve`;
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

const groupTable = tableOf<GroupAnswer>(
  "There are no groups. Create one: peyk group create --account ID --code CODE --name NAME",
  {
    ACCOUNT: "account",
    GROUP: "code",
    NAME: "name",
    STATUS: "status",
    MEMBERS: "recipientCount",
    APPROVED: ({ approvedAt }) => shortTime(approvedAt),
    DRAFT: draftText,
  },
);

const oneGroup = (group: GroupAnswer) => groupTable([group]);

function importMembers(io: CliIo) {
  const words = {
    does: "replace the group's draft by the members of a file; sends take the approved list until the draft is approved",
    examples: [
      "peyk group import spring --csv members.csv --preview",
      "peyk group import spring --csv members.csv --columns fullName,-,mobile",
      "cat members.csv | peyk group import spring --csv -",
    ],
  };
  return verb("import", words)
    .argument("<code>", ofOneCode.of.code)
    .option("--account <id>", ofOneCode.options.account.help)
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

export const groupCommand = noun("group", "approved groups: people to whom an account may send one text", {
  create: calls({
    does: "create an empty group",
    examples: ['peyk group create --account acc_1 --code spring --name "Spring offer"'],
    options: {
      account: must(typed("account <id>", "the account that may send to it")),
      code: patternFields.code,
      name: patternFields.name,
    },
    call: (api, given) => api("POST /groups", given),
    text: (group, { code }) =>
      oneGroup(group) + joinLines([`Import its members: peyk group import ${code} --csv FILE`]),
  }),
  import: importMembers,
  approve: calls({
    does: "let the account send to the group's draft, or to a suspended group again",
    examples: ["peyk group approve spring", "peyk group approve spring --account acc_2 --by maryam"],
    ...ofDecision,
    call: (api, given, io) => api("POST /groups/:code/approve", decided(given, io)),
    text: oneGroup,
  }),
  suspend: calls({
    does: "refuse new messages to the group; messages that wait are still sent",
    examples: ["peyk group suspend spring"],
    ...ofDecision,
    call: (api, given, io) => api("POST /groups/:code/suspend", decided(given, io)),
    text: oneGroup,
  }),
  list: lists({
    does: "list groups",
    examples: ["peyk group list --account acc_1"],
    options: ofOneAccount,
    part: (api, query) => api("GET /groups", query),
    whole: withoutAccountName,
    table: groupTable,
  }),
  show: calls({
    does: "show a group and its approvals",
    examples: ["peyk group show spring"],
    ...ofOneCode,
    call: (api, given) => api("GET /groups/:code", given),
    text: groupDetailText,
  }),
});
