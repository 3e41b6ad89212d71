/** Routing plans: read and tried here, changed on the command line. */
import { messageClassNames } from "../../domain/message.ts";
import { answered } from "../data/console-api.ts";
import { PlanPage, PlansPage } from "../pages/plans.tsx";
import { document, type PageAnswer, type PageCall, page } from "./page.ts";

/** Of numbers that are tried on one page. */
const triedMax = 50;

async function plan({ api, params: { name }, query, shell }: PageCall<{ readonly name: string }>): Promise<PageAnswer> {
  const numbers = query.get("numbers") ?? "";
  const recipients = numbers.split(/[,;،\n]+/).flatMap((one) => (one.trim() === "" ? [] : one.trim()));
  const className = messageClassNames.find((one) => one === query.get("class")) ?? "single";
  const shown = await answered(api.plans({ name }).get());
  const body = { recipients: [...new Set(recipients)].slice(0, triedMax), class: className };
  const tried = recipients.length === 0 ? null : await answered(api.plans({ name }).test.post(body));
  return document(<PlanPage shell={shell("plans")} view={{ plan: shown, numbers, class: className, tried }} />);
}

export const plansPages = [
  page({
    method: "GET",
    path: "/plans",
    action: "routes.read",
    answer: async ({ api, shell }) =>
      document(<PlansPage shell={shell("plans")} plans={await answered(api.plans.get())} />),
  }),
  page({ method: "GET", path: "/plans/:name", action: "routes.read", answer: plan }),
];
