/**
 * The console's users: add, list, reset, disable, and the link for choosing a password; and a customer's people, for one
 * another: nobody becomes more than a customer.
 */
import { Type as t } from "@sinclair/typebox";
import { OperatorError } from "../domain/operator-error.ts";
import { isCustomerRole } from "../domain/roles.ts";
import { pick } from "../fields/field.ts";
import { colleagueFields, userFields } from "../fields/user.ts";
import { isoTime } from "../platform/clock.ts";
import type { UserRow } from "../store/users.ts";
import type { SetupLink } from "../users/user-service.ts";
import { ownAccount } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField, newSchemas, requiredSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, rangeFields, rangeIn, wholeList } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";

export type UserStatus = "invited" | "active" | "disabled";

export type UserAnswer = ReturnType<typeof userAnswer>;

export function userAnswer({ users }: Pick<OperatorDeps, "users">, user: UserRow) {
  const { name, role, accountId, sealedFactor, disabledAt, createdAt } = user;
  const ways = users.waysOf(user);
  const status: UserStatus = disabledAt !== null ? "disabled" : ways.length === 0 ? "invited" : "active";
  return {
    name,
    role,
    /** For a customer; null for everyone else. */
    account: accountId === null ? null : accountIdText(accountId),
    /** `invited`: no password has been chosen since the user was added or reset, and there is no other way in. */
    status,
    ways,
    secondFactor: sealedFactor !== null,
    createdAt: isoTime(createdAt),
  };
}

export type SetupAnswer = ReturnType<typeof setupAnswer>;

/** The token only appears in this answer and cannot be retrieved again. */
export function setupAnswer(
  deps: Pick<OperatorDeps, "users" | "facts">,
  { user, link: { token, expiresAt } }: { user: UserRow; link: SetupLink },
) {
  const { facts } = deps;
  const path = `/setup/${token}`;
  const base = isCustomerRole(user.role) ? facts.portalUrl : facts.consoleUrl;
  return {
    ...userAnswer(deps, user),
    /** `url`: null for a customer while no portal is served. */
    setup: { token, path, url: base === null ? null : base + path, expiresAt: isoTime(expiresAt) },
  };
}

/** Only the answer names the user of the setup link. */
const userNameOf = (input: Fields, answer: Fields) => textIn(answer, "name") ?? textIn(input, "name") ?? "";

export const userAudit = {
  target: userNameOf,
  state: (deps: OperatorDeps, input: Fields, answer: Fields) => {
    const found = deps.users.all().find(({ name }) => name === userNameOf(input, answer));
    return found === undefined ? null : userAnswer(deps, found);
  },
};

/** Told with an account; lists have all. */
const firstPeople = 10;

export const userAdmin = {
  "GET /users": reads({
    may: "users.read",
    input: rangeFields,
    run: async (deps, asked) => {
      const range = rangeIn(asked);
      const part = range === null ? wholeList(deps.users.all()) : await deps.users.part(range);
      return answerRows(part, (user) => ({
        ...userAnswer(deps, user),
        accountName: user.accountId === null ? null : accountNameOf(deps, user.accountId),
      }));
    },
  }),
  /** Who signs in at the portal for an account: how many, and the first of them. */
  "GET /accounts/:id/people": reads({
    may: "accounts.read",
    input: { id: t.String() },
    run: (deps, { id }) => {
      const people = deps.users.ofAccount(listedAccountOf(id, deps.directory) ?? 0);
      return { all: people.length, first: people.slice(0, firstPeople).map((user) => userAnswer(deps, user)) };
    },
  }),
  "POST /users": changes({
    may: "users.change",
    input: { ...newSchemas(userFields), account: accountField },
    run: async (deps, { name, role, account }) =>
      setupAnswer(deps, await deps.users.add(name, role, account === undefined ? null : accountIdOf(account))),
    audit: { action: "user.add", ...userAudit },
  }),
  "POST /users/setup-link": changes({
    may: "users.change",
    run: async (deps) => setupAnswer(deps, await deps.users.setupLink()),
    audit: { action: "user.setup-link", ...userAudit },
  }),
  "POST /users/:name/reset": changes({
    may: "users.change",
    input: { name: t.String() },
    run: async (deps, { name }, { caller }) => setupAnswer(deps, await deps.users.reset(name, caller.userId)),
    audit: { action: "user.reset", ...userAudit },
  }),
  /** For the operator's own site, which sends its customer there. The token is only in this answer. */
  "POST /users/:name/portal-link": changes({
    may: "users.change",
    input: { name: t.String() },
    run: ({ users, facts: { portalUrl } }, { name }) => {
      if (portalUrl === null) throw new OperatorError("no_portal");
      const { user, link } = users.portalLink(name);
      return {
        name: user.name,
        account: user.accountId === null ? null : accountIdText(user.accountId),
        url: `${portalUrl}/enter/${link.token}`,
        expiresAt: isoTime(link.expiresAt),
      };
    },
    audit: {
      action: "user.portal-link",
      target: userNameOf,
      told: (_, { expiresAt }) => ({ expiresAt }),
    },
  }),
  "POST /users/:name/disable": changes({
    may: "users.change",
    input: { name: t.String() },
    run: async (deps, { name }) => userAnswer(deps, await deps.users.disable(name)),
    audit: { action: "user.disable", ...userAudit },
  }),
  /** From then on this person of the provider signs in as this user. */
  "PUT /users/:name/identity": changes({
    may: "users.change",
    input: { name: t.String(), subject: t.String({ minLength: 1, maxLength: 255 }) },
    run: async (deps, { name, subject }) => userAnswer(deps, await deps.providerUsers.link(name, subject)),
    audit: { action: "user.link", ...userAudit },
  }),
  "DELETE /users/:name/identity": changes({
    may: "users.change",
    input: { name: t.String() },
    run: async (deps, { name }) => userAnswer(deps, await deps.providerUsers.unlink(name)),
    audit: { action: "user.unlink", ...userAudit },
  }),
};

const namedFields = { id: t.String(), name: t.String() };

/** Whether the account exists is checked before anything else. */
const accountOf = ({ directory }: OperatorDeps, id: string): number =>
  listedAccountOf(id, directory) ?? accountIdOf(id);

export const colleagueAdmin = {
  "GET /accounts/:id/colleagues": reads({
    may: "colleagues.change",
    scope: ownAccount,
    input: { id: t.String() },
    run: (deps, { id }) => ({
      rows: deps.users.ofAccount(accountOf(deps, id)).map((user) => userAnswer(deps, user)),
      /** Whether an invitation can go by mail. */
      hasMail: deps.portalMails.isSet,
    }),
  }),
  "POST /accounts/:id/colleagues": changes({
    may: "colleagues.change",
    scope: ownAccount,
    input: {
      id: t.String(),
      ...newSchemas(colleagueFields),
    },
    run: async (deps, { id, name, role, mail }, { caller }) => {
      const { users, portalMails } = deps;
      const accountId = accountOf(deps, id);
      // Before the name is looked up: it must not be tried which names there are.
      portalMails.count(accountId);
      const { user, link } = await users.invite(accountId, name, role, caller.userId);
      const answer = setupAnswer(deps, { user, link });
      const { url } = answer.setup;
      const isMailed = mail !== undefined && url !== null && (await portalMails.invite(mail, { name, url }));
      return { ...answer, mailedTo: isMailed ? mail : null, setup: isMailed ? null : answer.setup };
    },
    audit: { action: "user.invite", ...userAudit },
  }),
  "PATCH /accounts/:id/colleagues/:name": changes({
    may: "colleagues.change",
    scope: ownAccount,
    input: { ...namedFields, ...requiredSchemas(pick(colleagueFields, "role")) },
    run: async (deps, { id, name, role }, { caller }) =>
      userAnswer(deps, await deps.users.changeColleague(accountOf(deps, id), name, role, caller.userId)),
    audit: { action: "user.role", ...userAudit },
  }),
  "POST /accounts/:id/colleagues/:name/remove": changes({
    may: "colleagues.change",
    scope: ownAccount,
    input: namedFields,
    run: async (deps, { id, name }, { caller }) =>
      userAnswer(deps, await deps.users.changeColleague(accountOf(deps, id), name, null, caller.userId)),
    audit: { action: "user.remove", ...userAudit },
  }),
};
