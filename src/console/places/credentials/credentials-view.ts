/** What the pages of credentials show. */
import type { CredentialAnswer } from "../../../operator/credentials.ts";
import type { PillState } from "../../components/pill.tsx";
import { accountNames } from "../../page/accounts-and-senders.ts";
import { askedPart, listPart, shownAs } from "../../page/list-part.ts";
import type { PageCall } from "../../page/page.ts";

export interface CredentialView extends Omit<CredentialAnswer, "account"> {
  state: Extract<PillState, "active" | "revoked" | "keyEnded">;
  /** Null for a customer, who has one. */
  account: { id: string; name: string } | null;
}

const states = { active: "active", revoked: "revoked", key_ended: "keyEnded" } as const;

function viewOf(answer: CredentialAnswer, names: ReadonlyMap<string, string>, isCustomer: boolean): CredentialView {
  const { account: id, status } = answer;
  const state = status === "active" || status === "revoked" ? states[status] : states.key_ended;
  return { ...answer, state, account: isCustomer ? null : { id, name: names.get(id) ?? id } };
}

/** Valid ones first, by protocol and name. */
export async function credentialList({ api, viewer, query }: PageCall) {
  const isCustomer = viewer.accountId !== null;
  const all = await api("GET /credentials", {});
  const sorted = all.toSorted(
    (a, b) =>
      Number(a.status !== "active") - Number(b.status !== "active") ||
      a.kind.localeCompare(b.kind) ||
      a.name.localeCompare(b.name),
  );
  const part = listPart(sorted, askedPart(query), ({ id, name, kind, key, account }) =>
    [id, name, kind, key, account].join(" "),
  );
  const names = await accountNames(
    api,
    part.rows.map(({ account }) => account),
    isCustomer,
  );
  return shownAs(part, (row) => viewOf(row, names, isCustomer));
}

export async function oneCredential({ api, viewer }: PageCall, id: string): Promise<CredentialView> {
  const answer = await api("GET /credentials/:id", { id });
  const isCustomer = viewer.accountId !== null;
  return viewOf(answer, await accountNames(api, [answer.account], isCustomer), isCustomer);
}
