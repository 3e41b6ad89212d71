/** `peyk sender …`: the numbers and names that an account may send from, and their routes. */
import { senderChoice, senderFields } from "../fields/sender.ts";
import type { SenderAnswer } from "../operator/answers.ts";
import { saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { askList, listVerb } from "./list.ts";
import { formatTable, orDash, yesNo } from "./text.ts";
import { ask, noun, type VerbWords, verb } from "./verb.ts";

export function senderCommand(io: CliIo) {
  return noun("sender", "numbers and names under which accounts send")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(update(io))
    .addCommand(switchTo(io, "activate", true))
    .addCommand(switchTo(io, "deactivate", false))
    .addCommand(remove(io));
}

/** A verb about one of an account's senders. */
const senderVerb = (usage: string, words: VerbWords) => withNewFields(verb(usage, words), senderChoice);

/** The account and the sender that were named. */
function chosenSender(options: object) {
  const { account: id, sender } = saidNewFields(senderChoice, options);
  return { id, sender };
}

const routesWith = (help: string) => ({ ...senderFields.routes, help: `${senderFields.routes.help}${help}` });

function add(io: CliIo) {
  const words = {
    does: "let an account send under a number or name",
    examples: ["peyk sender add --account acc_1 --sender 30001234 --route operator-a,operator-b"],
  };
  const { mayBeBlank: _, ...routes } = routesWith(" (default: the simulator)");
  return withFields(senderVerb("add", words), { routes })
    .option("--inactive", "add it inactive: it cannot be used yet")
    .action(({ inactive, ...options }) => {
      const input = { ...chosenSender(options), active: inactive !== true, ...saidFields({ routes }, options) };
      return ask(io, options, (api) => api("POST /accounts/:id/senders", input), oneSender);
    });
}

function list(io: CliIo) {
  const examples = ["peyk sender list --account acc_1", "peyk sender list --query 3000 --limit 100"];
  return listVerb({ does: "list senders", examples })
    .option("--account <id>", "only this account's")
    .option("--sender <sender>", "only this one")
    .action(({ account, sender: name, ...options }) => {
      return askList(io, options, {
        part: (api, query) => api("GET /senders", { account, name, ...query }),
        whole: ({ accountName: _, ...row }) => row,
        table: formatSenders,
      });
    });
}

function update(io: CliIo) {
  const words = {
    does: "replace the routes of a sender",
    examples: ["peyk sender update --account acc_1 --sender 30001234 --route operator-b"],
  };
  const routes = { ...routesWith('; "" for the default one'), isRequired: true } as const;
  return withNewFields(senderVerb("update", words), { routes }).action((options) => {
    const change = { ...chosenSender(options), ...saidFields({ routes }, options) };
    return ask(io, options, (api) => api("PATCH /accounts/:id/senders/:sender", change), oneSender);
  });
}

function switchTo(io: CliIo, name: string, active: boolean) {
  const words = {
    does: active
      ? "let an inactive sender be used"
      : "refuse new messages under a sender; messages that wait are still sent",
    examples: [`peyk sender ${name} --account acc_1 --sender 30001234`],
  };
  return senderVerb(name, words).action((options) => {
    const change = { ...chosenSender(options), active };
    return ask(io, options, (api) => api("PATCH /accounts/:id/senders/:sender", change), oneSender);
  });
}

function remove(io: CliIo) {
  const words = {
    does: "remove a sender from an account; its messages stay, and those that wait are still sent",
    examples: ["peyk sender remove --account acc_1 --sender 30001234"],
  };
  return senderVerb("remove", words).action((options) => {
    const { id, sender } = chosenSender(options);
    const removed = () => `Sender ${sender} of ${id} removed.\n`;
    return ask(io, options, (api) => api("DELETE /accounts/:id/senders/:sender", { id, sender }), removed);
  });
}

const oneSender = (sender: SenderAnswer) => formatSenders([sender]);

export function formatSenders(senders: readonly SenderAnswer[]): string {
  if (senders.length === 0) return "There are no senders. Add one: peyk sender add --account ID --sender NUMBER\n";
  const rows = senders.map(({ account, sender, active, plan, routes, usesDefaultRoute }) => [
    account,
    sender,
    yesNo(active),
    orDash(plan),
    routes.length === 0 ? "none" : `${routes.join(", ")}${usesDefaultRoute ? " (default)" : ""}`,
  ]);
  return formatTable(["ACCOUNT", "SENDER", "ACTIVE", "PLAN", "ROUTES"], rows);
}
