/** English: patterns, groups and their approvals. */
import type { Count } from "../../format/format.ts";

const patterns = {
  lead: "Texts that were approved once; an account fills in their variables.",
  create: "New pattern",
  make: "Make the pattern",
  emptyTitle: "No pattern yet",
  empty: "A text with variables, such as a one-time password or a reminder. It is approved before it is sent.",
  head: { code: "Code", state: "State", account: "Account", text: "Text", parts: "Parts at most" },
  name: "Name",
  codeHint: "Under which the API knows it: letters, digits, dots, dashes and underscores.",
  textHint: "Variables stand in double braces.",
  sender: "Sender",
  senderHint: "Empty: the account's default one, or whichever a request names.",
  anySender: "the account's default",
  facts: "Details",
  variables: "Variables, and how long each may be",
  noVariables: "none",
  latin: "At its longest, in Latin letters",
  persian: "At its longest, in Persian letters",
  size: (parts: Count, characters: Count, encoding: string) =>
    `${parts.value === 1 ? "1 part" : `${parts.text} parts`}, ${characters.text} characters, ${encoding}`,
  templateId: "Registered as",
  sample: {
    title: "Try it with values",
    to: "Recipient",
    toHint: "For the cost of one message. Nothing is sent.",
    show: "Try it",
    missing: "Parts and cost are told once every variable has its value.",
    tooLong: (name: string, most: string) => `${name} has at most ${most} characters.`,
  },
};

const groups = {
  lead: "People to whom an account may send one text. A new list waits for its approval; the approved one sends until then.",
  create: "New group",
  emptyTitle: "No group yet",
  empty: "A list of members, imported from a file and approved.",
  head: { name: "Group", state: "State", account: "Account", draft: "New list", members: "Members" },
  waits: ({ value, text }: Count) => (value === 1 ? "1 member, not approved yet" : `${text} members, not approved yet`),
  facts: "Lists",
  approvedMembers: "Members that are sent to",
  draft: "New list",
  noDraft: "none",
  file: "File of the new list",
  fileHint: "CSV in UTF-8. Its first line names the columns: mobile, and if you like firstName, lastName or fullName.",
  importNote: "It becomes a new list that waits for approval. A line that is wrong stops all of it, and is named.",
  start: "Import",
  noFile: "Choose a file.",
  done: (members: Count, repeated: Count) =>
    `${members.text} members are in the new list; ${repeated.text} lines repeated a number. It waits for its approval.`,
  toGroup: "To the group",
  nothingToApprove: "The group has no members yet: import them first.",
};

const decisions = {
  lead: "Lists and texts that nobody has approved yet, the longest waiting first.",
  title: "Decisions",
  none: "Nobody has decided yet.",
  at: "When",
  what: "Decision",
  by: "By",
  members: "Members",
  approve: "Approve",
  suspend: "Suspend",
  done: { approve: "Approved: it can be used from now on.", suspend: "Suspended: it is refused from now on." },
  added: "It waits for its approval.",
  codeTaken: "This code is taken.",
  emptyTitle: "Nothing waits for approval",
  empty: "New lists of groups and new patterns come here.",
  subject: "What",
  kind: "Kind",
  kinds: { group: "Group", pattern: "Pattern" },
  account: "Account",
  content: "Content",
  since: "Since",
};

export const enApproved = { patterns, groups, decisions };
