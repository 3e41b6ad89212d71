/** How far an installation has come: what each step of the path made, as it is now. */
import { isChannel } from "../../../domain/channel.ts";
import type { PageCall } from "../../page/page.ts";

export const firstSteps = ["carrier", "account", "key", "text", "done"] as const;
export type FirstStep = (typeof firstSteps)[number];

export interface Standing {
  /** Null for a step that is still ahead; otherwise what it made. */
  made: Readonly<Record<Exclude<FirstStep, "done">, string | null>>;
  /** The account that sends, and its sender; null before there is one. */
  sending: { account: string; accountName: string; sender: string; route: string } | null;
  /** Those that lead to a network; only without any of them, the simulators. The newest first. */
  routes: readonly string[];
}

export async function standingOf({ api }: Pick<PageCall, "api">): Promise<Standing> {
  const [routes, senders, keys, { messages }] = await Promise.all([
    api("GET /routes"),
    api("GET /senders", { active: true, limit: 1 }),
    api("GET /keys", { limit: 1 }),
    api("GET /messages", { limit: 1 }),
  ]);
  const forSms = routes.filter(({ options }) => !isChannel(options));
  const real = forSms.filter(({ kind }) => kind !== "simulator").map(({ name }) => name);
  const usable = (real.length > 0 ? real : forSms.map(({ name }) => name)).toReversed();
  const [sender] = senders.rows;
  return {
    made: {
      carrier: real.at(-1) ?? null,
      account: sender === undefined ? null : `${sender.accountName}, ${sender.sender}`,
      key: keys.rows[0]?.name ?? null,
      text: messages[0]?.recipient ?? null,
    },
    sending:
      sender === undefined
        ? null
        : {
            account: sender.account,
            accountName: sender.accountName,
            sender: sender.sender,
            route: sender.routes[0] ?? usable[0] ?? "",
          },
    routes: usable,
  };
}

export const stepHref = (step: FirstStep) => `/first/${step}`;

/** The first step that made nothing yet. */
export const nextStep = ({ made }: Standing): FirstStep =>
  firstSteps.find((step) => step !== "done" && made[step] === null) ?? "done";
