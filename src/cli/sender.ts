/** `peyk sender …`: the numbers and names that an account may send from, and their routes. */

import { senderChoice, senderFields } from "../fields/sender.ts";
import type { SenderAnswer } from "../operator/answers.ts";
import type { AnswerOf } from "../operator/client.ts";
import { calls, flag, lists, must, noun, ofOneAccount, typed, withoutAccountName } from "./declared.ts";
import { joinLines, tableOf, yesNo } from "./text.ts";

export const formatSenders = tableOf<SenderAnswer>(
  "There are no senders. Add one: peyk sender add --account ID --sender NUMBER",
  {
    ACCOUNT: "account",
    SENDER: "sender",
    ACTIVE: ({ active }) => yesNo(active),
    PLAN: "plan",
    ROUTES: ({ routes, usesDefaultRoute }) =>
      routes.length === 0 ? "none" : `${routes.join(", ")}${usesDefaultRoute ? " (default)" : ""}`,
  },
);

const oneSender = (sender: SenderAnswer) => formatSenders([sender]);

type ChangedSender = AnswerOf<"PATCH /accounts/:id/senders/:sender">;

const refusedText = ({ refusedPatterns, refusedCredentials }: Omit<ChangedSender, keyof SenderAnswer>) =>
  joinLines([
    ...(refusedPatterns.length === 0
      ? []
      : [`Patterns that name it cannot be sent now: ${refusedPatterns.join(", ")}.`]),
    ...(refusedCredentials.length === 0
      ? []
      : [`What comes by credentials that name it is refused now: ${refusedCredentials.join(", ")}.`]),
  ]);

const changedSender = (sender: ChangedSender) => oneSender(sender) + refusedText(sender);

/** How the operations name the account and the sender that were chosen. */
const chosen = <Given extends { account: string }>({ account: id, ...given }: Given) => ({ id, ...given });

const routesWith = (help: string) => ({ ...senderFields.routes, help: `${senderFields.routes.help}${help}` });
const { mayBeBlank: _, ...newRoutes } = routesWith(" (default: the simulator)");

const switchTo = (active: boolean, does: string, example: string) =>
  calls({
    does,
    examples: [example],
    options: senderChoice,
    call: (api, given) => api("PATCH /accounts/:id/senders/:sender", { ...chosen(given), active }),
    text: changedSender,
  });

export const senderCommand = noun("sender", "numbers and names under which accounts send", {
  add: calls({
    does: "let an account send under a number or name",
    examples: ["peyk sender add --account acc_1 --sender 30001234 --route operator-a,operator-b"],
    options: {
      ...senderChoice,
      routes: newRoutes,
      inactive: flag("inactive", "add it inactive: it cannot be used yet"),
    },
    call: (api, { inactive, ...given }) =>
      api("POST /accounts/:id/senders", { ...chosen(given), active: inactive !== true }),
    text: oneSender,
  }),
  list: lists({
    does: "list senders",
    examples: ["peyk sender list --account acc_1", "peyk sender list --query 3000 --limit 100"],
    options: { ...ofOneAccount, name: typed("sender <sender>", "only this one") },
    part: (api, query) => api("GET /senders", query),
    whole: withoutAccountName,
    table: formatSenders,
  }),
  update: calls({
    does: "replace the routes of a sender",
    examples: ["peyk sender update --account acc_1 --sender 30001234 --route operator-b"],
    options: { ...senderChoice, routes: must(routesWith('; "" for the default one')) },
    call: (api, given) => api("PATCH /accounts/:id/senders/:sender", chosen(given)),
    text: changedSender,
  }),
  activate: switchTo(true, "let an inactive sender be used", "peyk sender activate --account acc_1 --sender 30001234"),
  deactivate: switchTo(
    false,
    "refuse new messages under a sender; messages that wait are still sent",
    "peyk sender deactivate --account acc_1 --sender 30001234",
  ),
  remove: calls({
    does: "remove a sender from an account; its messages stay, and those that wait are still sent",
    examples: ["peyk sender remove --account acc_1 --sender 30001234"],
    options: senderChoice,
    call: (api, given) => api("DELETE /accounts/:id/senders/:sender", chosen(given)),
    text: (removed, { account, sender }) => `Sender ${sender} of ${account} removed.\n${refusedText(removed)}`,
  }),
});
