/** Credentials, of all accounts for operators and of their own for customers: who is bound, create, renew, revoke. */
import type { CredentialAnswer, IssuedCredentialAnswer } from "../../../operator/credentials.ts";
import type { FieldErrors, Option } from "../../components/forms.tsx";
import { readForForm } from "../../components/listed-field.tsx";
import { accountNames } from "../../page/accounts-and-senders.ts";
import { askedPart, listPart, shownAs } from "../../page/list-part.ts";
import { madePage, type PageCall } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import { again, done, usualPages } from "../../page/usual-pages.tsx";
import { CredentialChangePage, CredentialFormPage } from "./credential-form.tsx";
import { changedCredential, newCredential, noTexts, textsOf } from "./credential-input.ts";
import { CredentialPage, CredentialsPage, IssuedCredentialPage } from "./credentials.tsx";
import { credentialsWords } from "./words.ts";

type IdCall = PageCall<{ readonly id: string }>;

const isOwn = ({ viewer }: PageCall) => viewer.accountId !== null;
const wordsOf = ({ locale }: PageCall) => credentialsWords[locale.language];
const credentialOf = ({ api, params: { id } }: IdCall) => api("GET /credentials/:id", { id });

/** Active keys; for staff with their account, and no more than a form reads. */
async function keyOptions(call: PageCall): Promise<Option[]> {
  const { rows } = await call.api("GET /keys", { limit: isOwn(call) ? 500 : readForForm });
  const active = rows.filter(({ status }) => status === "active");
  if (isOwn(call)) return active.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }));
  const owners = active.map(({ account }) => account);
  const names = await accountNames(call.api, owners);
  const ownerOf = (account: string) => names.get(account) ?? account;
  const options = active.map((key) => ({ value: key.id, label: `${ownerOf(key.account)} · ${key.name} (${key.id})` }));
  return [{ value: "", label: "–" }, ...options];
}

/** Adds the name of the account; null for a customer, who has one. */
async function withOwners(call: PageCall, all: readonly CredentialAnswer[]) {
  const owners = all.map(({ account }) => account);
  const names = await accountNames(call.api, owners, isOwn(call));
  return <One extends CredentialAnswer>(one: One) => ({
    ...one,
    owner: isOwn(call) ? null : (names.get(one.account) ?? one.account),
  });
}

/** Valid ones first, by protocol and name. */
async function listed(call: PageCall) {
  const sorted = (await call.api("GET /credentials", {})).toSorted(
    (a, b) =>
      Number(a.status !== "active") - Number(b.status !== "active") ||
      a.kind.localeCompare(b.kind) ||
      a.name.localeCompare(b.name),
  );
  const textOf = ({ id, name, kind, key, account }: CredentialAnswer) => [id, name, kind, key, account].join(" ");
  const part = listPart(sorted, askedPart(call.query), textOf);
  return shownAs(part, await withOwners(call, part.rows));
}

function refused(reason: unknown, call: PageCall): FieldErrors {
  const at = { credential_exists: "name", credential_limit_reached: "name", key_not_found: "key" } as const;
  const { repeats, template, ...errors } = refusedFields(reason, call.locale, at);
  return {
    ...errors,
    ...(repeats !== undefined && { repeatsTag: wordsOf(call).repeatsTagHint }),
    // Of a preset nothing else can be wrong.
    ...(template !== undefined && { [call.form.text("preset") === "" ? "preset" : "fixedTo"]: template }),
  };
}

const issued = (one: IssuedCredentialAnswer) => madePage(<IssuedCredentialPage {...one} />, "/credentials");

const { shown, live, form, question } = usualPages("credentials", { read: "keys.read", change: "keys.change" });

export const credentialsPages = [
  shown("/credentials", async (call) => <CredentialsPage list={await listed(call)} />),
  ...form("/credentials/new", {
    load: async (call) => ({
      texts: { ...noTexts, kind: call.query.get("kind") ?? noTexts.kind },
      keys: await keyOptions(call),
    }),
    View: CredentialFormPage,
    async run(call, { texts }) {
      const input = newCredential(texts, call);
      if (input === null) return again({ errors: { traffic: wordsOf(call).trafficWanted } });
      return issued(await call.api("POST /credentials", input));
    },
    refused,
  }),
  ...live("/credentials/:id", {
    async load(call) {
      const credential = await credentialOf(call);
      const [withOwner, errors] = await Promise.all([
        withOwners(call, [credential]),
        call.api("GET /accounts/:id/errors", { id: credential.account }),
      ]);
      const refusals = errors.kinds.filter(({ way, by }) => way === credential.kind && by.id === credential.id);
      return { ...withOwner(credential), refusals };
    },
    View: CredentialPage,
  }),
  ...form("/credentials/:id/change", {
    async load(call) {
      const credential = await credentialOf(call);
      return { ...credential, texts: textsOf(credential, call.locale) };
    },
    View: CredentialChangePage,
    async run(call, { id, kind, name, texts }) {
      await call.api("PATCH /credentials/:id", { id, ...changedCredential(kind, texts, call) });
      return done(`/credentials/${id}`, wordsOf(call).changed(name));
    },
    refused,
  }),
  ...question("/credentials/:id/rotate", {
    async ask(call) {
      const { id, name } = await credentialOf(call);
      return { words: wordsOf(call).rotating, name, back: `/credentials/${id}` };
    },
    run: async ({ api, params: { id } }) => issued(await api("POST /credentials/:id/rotate", { id })),
  }),
  ...question("/credentials/:id/revoke", {
    async ask(call) {
      const { id, name } = await credentialOf(call);
      return { words: wordsOf(call).revoking, name, back: `/credentials/${id}` };
    },
    async run(call) {
      const { name } = await call.api("POST /credentials/:id/revoke", { id: call.params.id });
      return done("/credentials", wordsOf(call).revoked(name));
    },
  }),
];
