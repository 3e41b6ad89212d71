/** English: what every page shares. */
import type { ByteScale, Count } from "../../format/format.ts";

const units = {
  milliseconds: ({ text }: Count) => `${text} ms`,
  seconds: ({ text }: Count) => `${text} s`,
  minutes: ({ value, text }: Count) => (value === 1 ? `${text} minute` : `${text} minutes`),
  hours: ({ value, text }: Count) => (value === 1 ? `${text} hour` : `${text} hours`),
  days: ({ value, text }: Count) => (value === 1 ? `${text} day` : `${text} days`),
  bytes: ({ text }: Count, scale: ByteScale) => `${text} ${scale}`,
  rials: ({ text }: Count) => `${text} rials`,
  currency: (code: string) => (code === "IRR" ? "rials" : code),
  rial: "rials",
};

const counts = {
  messages: ({ value, text }: Count) => (value === 1 ? `${text} message` : `${text} messages`),
  parts: ({ value, text }: Count) => (value === 1 ? `${text} part` : `${text} parts`),
  recipients: ({ value, text }: Count) => (value === 1 ? `${text} recipient` : `${text} recipients`),
  characters: ({ value, text }: Count) => (value === 1 ? `${text} character` : `${text} characters`),
  attempts: ({ value, text }: Count) => (value === 1 ? `${text} attempt` : `${text} attempts`),
  about: (text: string) => `about ${text}`,
};

const places = {
  now: "Now",
  overview: "Overview",
  messages: "Messages",
  send: "Send",
  inbound: "Inbound",
  accounts: "Accounts",
  groups: "Groups",
  patterns: "Patterns",
  approvals: "Approvals",
  routes: "Routes",
  plans: "Plans",
  callbacks: "Callbacks",
  reports: "Reports",
  usage: "Usage",
  keys: "Keys",
  begin: "How to begin",
  system: "System",
  settings: "Your settings",
};

const roles = { owner: "Owner", operator: "Operator", support: "Support", customer: "Customer" };

const layout = {
  skip: "Skip to the content",
  menu: "Menu",
  navigation: "Pages",
  theme: "Colours",
  themes: { system: "As the device", light: "Light", dark: "Dark" },
  signOut: "Sign out",
};

const states = {
  waiting: "Waiting",
  scheduled: "Scheduled",
  cancelled: "Cancelled",
  off: "Off",
  draft: "Draft",
  sending: "Sending",
  sent: "Sent",
  delivered: "Delivered",
  up: "Up",
  active: "Active",
  approved: "Approved",
  unsure: "Unsure",
  suspended: "Suspended",
  attention: "Needs a look",
  failed: "Failed",
  down: "Down",
  revoked: "Revoked",
  expired: "Expired",
};

const actions = {
  copy: "Copy",
  copied: "Copied",
  back: "Back",
  save: "Save",
  show: "Show",
  csv: "CSV",
  print: "Print",
  undo: "Undo",
};

const lists = {
  search: "Search",
  filters: "Filters",
  apply: "Show",
  any: "Any",
  dropFilter: (name: string) => `Drop the filter ${name}`,
  dropAll: "Drop all filters",
  pages: "Pages of the list",
  newer: "Newer",
  older: "Older",
  previous: "Previous",
  next: "Next",
  searchIn: (list: string) => `Search in ${list}`,
  noneTitle: "Nothing was found",
  none: "Try fewer letters, or another spelling.",
  showAll: "Show all",
  range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  shown: (count: Count) => `${count.text} shown`,
};

const forms = {
  refused: (problem: string) => `It ${problem}.`,
  optional: "optional",
  account: {
    hint: (id: string) => `The id, such as ${id}, or the whole name of an account.`,
    empty: (meaning: string) => `Empty: ${meaning}.`,
    instead: (typed: string, meaning: string) => `${typed}: ${meaning}.`,
    missing: "Type the id or the name of an account.",
    unknown: (typed: string) => `There is no account “${typed}”.`,
    near: (typed: string, accounts: string) => `There is no account “${typed}”. There is ${accounts}.`,
    several: (typed: string, accounts: string) =>
      `Several accounts are named “${typed}”: ${accounts}. Type the id of the one that is meant.`,
  },
  sender: {
    hint: (sender: string) => `A number or name of a sender, such as ${sender}.`,
    ofSeveral: (sender: string) => `Where several accounts have it, with the account: ${sender}.`,
    missing: "Type a sender.",
    unknown: (typed: string) => `There is no active sender “${typed}”.`,
    near: (typed: string, senders: string) => `There is no active sender “${typed}”. There is ${senders}.`,
    several: (typed: string, senders: string) =>
      `Several accounts have a sender “${typed}”: ${senders}. Type the one that is meant with its account.`,
  },
  summary: ({ value, text }: Count) => (value === 1 ? "One field needs a look" : `${text} fields need a look`),
  changedByOther: (now: string) =>
    `Somebody else has changed this meanwhile${now === "" ? " and left it empty" : `, to: ${now}`}. Save again to keep yours.`,
  repeated: "This form had been sent already: nothing was done a second time.",
  shared: "Somebody else has changed other fields meanwhile; that is kept too.",
};

const story = {
  waited: (duration: string) => `Waited ${duration}`,
  raw: "The answer as it came",
};

const charts = {
  asTable: "Show as table",
  time: "Time",
  newest: "Newest figures",
  unknown: "–",
  nothing: "No message in this time.",
};

const confirm = { goes: "What goes", stays: "What stays" };

const secrets = {
  shownOnce: "Shown once. Peyk keeps only a fingerprint of it.",
  secret: "API key",
  example: "A first message with it",
  stored: "I have stored it",
};

const empty = { command: "On the command line" };

const imports = {
  title: "Import",
  preview: (file: string) => `First rows of ${file}`,
  column: (number: string) => `Column ${number}`,
  columns: {
    mobile: "Mobile number",
    firstName: "First name",
    lastName: "Last name",
    fullName: "Full name",
    "-": "Left out",
  },
  header: "The first line names the columns and is not imported",
  found: "What an import would find",
  members: "Numbers",
  repeated: "Lines that repeat one",
  wrongLines: "Wrong lines",
  tooMany: (most: string) => `A group has at most ${most} members: this file is not imported.`,
  stops: "A wrong line stops the whole import. The first of them:",
  check: "Look through it again",
  start: "Import",
  gone: "The file is no longer kept here. Choose it again.",
  progress: (done: Count, total: Count, refused: Count) => `${done.text} of ${total.text}, ${refused.text} refused`,
  leave: "It goes on when you leave this page.",
  line: (line: string) => `Line ${line}`,
  look: "Look again",
  wrong: "Nothing was imported: mend the lines above, and import the file again.",
  refusedCsv: "Refused lines as CSV",
};

const errors = {
  notFound: {
    title: "There is no such page",
    what: "Nothing is stored at this address, or your role may not open it.",
    todo: "Go to the first page",
  },
  signedOut: { title: "You are signed out", what: "Sign in again; what you typed is kept.", todo: "Sign in" },
  upgraded: { title: "Peyk was upgraded", what: "This page is from the version before.", todo: "Reload" },
  lost: { title: "Peyk does not answer", what: "This page tries again by itself, and what you typed stays." },
  failed: {
    title: "That did not work",
    what: "Nothing was changed. The log of the service says more under this id.",
    todo: "Try again",
  },
  notStored: {
    title: "Nothing was saved",
    what: "The disk of the service is full, or cannot be written to. Try again once that is mended: what you typed, but for passwords and files, stays on this page.",
    todo: "Try again",
  },
  wrongAddress: {
    title: "This address asks for nothing that is here",
    what: "Something in it was changed, or has had its time.",
    todo: "Show the page without it",
  },
  refused: { title: "That cannot be done", what: "Nothing was changed.", todo: "Go back" },
  id: "Id",
};

export const enCommon = {
  units,
  counts,
  places,
  roles,
  layout,
  states,
  actions,
  lists,
  forms,
  story,
  charts,
  confirm,
  secrets,
  empty,
  imports,
  errors,
};
