/** Programs that were written for Kannel and Jasmin: their requests, the answers, and the reports that they get. */
import { receiverOrigin } from "./receiver-origin.ts";

export const dropInLogin = { username: "drop-in", password: "password-of-drop-in" } as const;

export const dropInKinds = ["by Kannel", "by Jasmin"] as const;
export type DropInKind = (typeof dropInKinds)[number];

export const isDropInKind = (kind: string): kind is DropInKind => dropInKinds.some((one) => one === kind);

/** Everything but "buffered". */
const dlrMask = 1 + 2 + 8 + 16;

export function dropInRequest(kind: DropInKind, from: string, recipient: string): { method: "GET"; path: string } {
  const shared = { from, to: `+${recipient}` };
  const path =
    kind === "by Kannel"
      ? `/cgi-bin/sendsms?${new URLSearchParams({
          ...shared,
          username: `${dropInLogin.username}-kannel`,
          password: dropInLogin.password,
          text: `text ${recipient}`,
          "dlr-mask": String(dlrMask),
          "dlr-url": `${receiverOrigin}/report?code=%F&step=%d`,
        })}`
      : `/send?${new URLSearchParams({
          ...shared,
          username: `${dropInLogin.username}-jasmin`,
          password: dropInLogin.password,
          content: `text ${recipient}`,
          dlr: "yes",
          "dlr-level": "3",
          "dlr-url": `${receiverOrigin}/report`,
        })}`;
  return { method: "GET", path };
}

/** To be retried: the disk refuses, the account is suspended, or a quota is exhausted. */
export const isDropInRetry = (answer: string): boolean =>
  /^Temporal failure|^Authorization failed|^Error "(Cannot|Authorization failed)/.test(answer);

/** The code in an answer or, if it names none, of the stored message; null if the request was refused. */
export function dropInCode(answer: string, stored: () => string | null): string | null {
  if (answer.startsWith("0: Accepted")) return stored();
  return /^Success "([^"]+)"/.exec(answer)?.[1] ?? null;
}

/** What a line's rule calls, by the template of its own credential. */
export const ruled = "ruled";
export const ruledForward = { inbound: { request: { url: `${receiverOrigin}/report?code={{id}}&step=${ruled}` } } };

/** A report as a receiver of callbacks gets it; null for any other request. */
export function reportIn(target: string, body: string): { code: string; step: string } | null {
  if (!target.startsWith("/report")) return null;
  const fields = new URLSearchParams(target.includes("?") ? target.slice(target.indexOf("?")) : body);
  return { code: fields.get("code") ?? fields.get("id") ?? "", step: fields.get("step") ?? fields.get("level") ?? "" };
}

/** The name of its reports, which distinguishes them from the webhook's events. */
export const reportsOf = (code: string): string => `reports of ${code}`;

/** The steps that a program is told, from the public history of its message. */
export function stepsTold(kind: DropInKind, statuses: readonly string[]): string[] {
  const wasSent = statuses.includes("sent");
  return statuses.flatMap((status) => {
    if (status === "sent") return kind === "by Kannel" ? ["8"] : ["1"];
    if (status === "delivered") return kind === "by Kannel" ? ["1"] : ["2"];
    if (status !== "failed" && status !== "cancelled") return [];
    if (kind === "by Kannel") return [wasSent ? "2" : "16"];
    return [wasSent ? "2" : "1"];
  });
}
