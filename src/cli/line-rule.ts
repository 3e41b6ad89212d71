/** `peyk line rule …`: what is done with texts that phones send to a line. */

import { amountInCurrency } from "../domain/money-text.ts";
import { newRuleFields, ruleTrialFields } from "../fields/inbound-rule.ts";
import type { AnswerOf } from "../operator/client.ts";
import type { LineRulesAnswer, RuleAnswer } from "../operator/inbound-rules.ts";
import { heldBackWords } from "../words/en/held-back.ts";
import { calls, noun } from "./declared.ts";
import { joinLines, shortTime, tableOf } from "./text.ts";

const problems = {
  revoked: "it is revoked",
  key_ended: "its key is revoked or expired",
  no_template: "it has no template to forward by",
} as const;

/** A credential, and why it gets nothing. */
export const credentialText = ({
  credential,
  credentialProblem,
}: Pick<RuleAnswer, "credential" | "credentialProblem">) =>
  credentialProblem === null ? credential : `${credential} (${problems[credentialProblem]})`;

const doesText = ({ reply, closedReply, joins, leaves, forwardTo, mail, ...program }: RuleAnswer) =>
  Object.entries({
    replies: reply && `“${reply}”`,
    "outside of its hours replies": closedReply && `“${closedReply}”`,
    "removes from": leaves,
    "adds to": joins,
    "sends on to": forwardTo,
    "mails to": mail,
    calls: credentialText(program),
  })
    .flatMap(([does, what]) => (what === null ? [] : [`${does} ${what}`]))
    .join("; ");

const takesText = ({ match, words, hours }: RuleAnswer) =>
  [match, words.join(", "), hours === null ? "" : `(${hours.join(", ")})`].filter((part) => part !== "").join(" ");

const ruleTable = tableOf<RuleAnswer>("The line has no rules. Add one: peyk line rule add --help", {
  PLACE: "place",
  RULE: "id",
  TAKES: takesText,
  DOES: doesText,
  USED: "uses",
  LAST: ({ usedAt }) => shortTime(usedAt),
});

const rulesText = ({ rules }: LineRulesAnswer) => ruleTable(rules);

const daysTable = tableOf<AnswerOf<"GET /lines/:number/rules/days">[number]>("No rule has taken a text yet.", {
  DAY: "day",
  PLACE: "place",
  RULE: "rule",
  TEXTS: "texts",
  SENT: "sent",
});

/** The public API's other codes stay as they are. */
const whyHeld: Readonly<Record<string, string>> = heldBackWords;

type Tried = AnswerOf<"POST /lines/:number/rules/try">;

function triedText({ keyword, rule, isOpen, messages, currency }: Tried): string {
  if (keyword !== null) return joinLines([`The suppression list takes it, as ${keyword}; no rule is asked.`]);
  if (rule === null) return joinLines(["No rule takes it."]);
  const sent = messages.map(({ kind, recipient, text, heldBack, partCount, price }) =>
    heldBack === null
      ? `A ${kind} to ${recipient}, parts: ${partCount}${price === null ? "" : `, price: ${amountInCurrency(price, currency)}`}: ${text}`
      : `No ${kind} to ${recipient}: ${whyHeld[heldBack] ?? heldBack}.`,
  );
  const { credential, credentialProblem: problem } = rule;
  const does =
    problem === null ? `The program of ${credential} is called.` : `${credential} is not called: ${problems[problem]}.`;
  const called = credential === null || !isOpen ? [] : [does];
  return joinLines([
    `Rule ${rule.place} (${rule.id}) takes it${isOpen ? "" : ", outside of its hours"}.`,
    ...sent,
    ...called,
  ]);
}

const of = { number: "the line's number" };
const ofRule = { ...of, rule: "the rule's id, as the list shows it" };

export const lineRuleCommand = noun(
  "rule",
  "what is done with texts to a line; the first rule that takes one decides",
  {
    add: calls({
      does: "add a rule",
      examples: [
        'peyk line rule add 30001234 --word info --word "راهنما" --reply "We are open from 9 to 17."',
        'peyk line rule add 30001234 --match any --hours "09:00-17:00 Sat Sun Mon Tue Wed" --reply "We will call." --closed-reply "We are closed."',
        "peyk line rule add 30001234 --word join --join news --reply Welcome",
      ],
      of,
      options: newRuleFields,
      call: (api, given) => api("POST /lines/:number/rules", given),
      text: rulesText,
    }),
    list: calls({
      does: "list a line's rules in their order, with how often each was used",
      examples: ["peyk line rule list 30001234"],
      of,
      call: (api, given) => api("GET /lines/:number/rules", given),
      text: rulesText,
    }),
    days: calls({
      does: "show what each rule took and sent on each day",
      examples: ["peyk line rule days 30001234"],
      of,
      call: (api, given) => api("GET /lines/:number/rules/days", given),
      text: daysTable,
    }),
    update: calls({
      does: "change a rule; what is left out stays",
      examples: ['peyk line rule update 30001234 rule_1 --reply "We are open from 8 to 16."'],
      of: ofRule,
      changes: newRuleFields,
      call: (api, given) => api("PATCH /lines/:number/rules/:rule", given),
      text: rulesText,
    }),
    remove: calls({
      does: "remove a rule",
      examples: ["peyk line rule remove 30001234 rule_2"],
      of: ofRule,
      call: (api, given) => api("DELETE /lines/:number/rules/:rule", given),
      text: rulesText,
    }),
    try: calls({
      does: "say which rule takes a text, and what would be sent; nothing is sent or counted",
      examples: ["peyk line rule try 30001234 --from 09121234567 --text info"],
      of,
      options: ruleTrialFields,
      call: (api, given) => api("POST /lines/:number/rules/try", given),
      text: triedText,
    }),
  },
);
