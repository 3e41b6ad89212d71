/** Tokens by which users' programs act for them. The token itself only appears in the answer that creates it. */
import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { isIpOrCidr } from "../domain/address-ranges.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { lesserRole } from "../domain/roles.ts";
import { pick } from "../fields/field.ts";
import { readsOnly, tokenFields, tokenOwner } from "../fields/user-token.ts";
import { isoTime } from "../platform/clock.ts";
import type { UserTokenRow } from "../store/user-tokens.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountField, fieldSchema, fieldSchemas, requiredSchemas } from "./field-schema.ts";
import { tokenIdOf, tokenIdText } from "./ids.ts";
import { changes, type Fields, type OperationCall, reads, textIn } from "./operation.ts";

const dayMs = 24 * 3_600_000;
/** A leap year and a day: "in a year" is always accepted. */
export const tokenDaysMax = 367;

const createFields = {
  ...requiredSchemas(pick(tokenFields, "name", "expiresAt")),
  ...fieldSchemas(pick(tokenFields, "role", "allowFrom", "operations", "readsTexts", "freed")),
};
type CreateInput = Static<TObject<typeof createFields>>;

export type TokenAnswer = ReturnType<typeof tokenAnswer>;

function tokenAnswer(token: UserTokenRow, { userTokens, clock }: Pick<OperatorDeps, "userTokens" | "clock">) {
  const owner = userTokens.ownerOf(token);
  return {
    id: tokenIdText(token.id),
    name: token.name,
    user: owner?.name ?? "",
    role: token.role,
    status: token.expiresAt > clock.now() ? ("active" as const) : ("expired" as const),
    expiresAt: isoTime(token.expiresAt),
    allowFrom: token.allowFrom,
    operations: token.operations,
    readsTexts: token.readsTexts,
    freed: token.freed,
    createdAt: isoTime(token.createdAt),
    /** To the minute. */
    lastUsedAt: timeOrNull(token.seenAt),
  };
}

/** @throws OperatorError `invalid` */
function checked(input: CreateInput, { clock }: OperatorDeps, { caller, isOperation }: OperationCall) {
  const { allowFrom = [], operations = [], freed = [], readsTexts = false } = input;
  const now = clock.now();
  const expiresAt = Date.parse(input.expiresAt);
  const wrong = allowFrom.filter((range) => !isIpOrCidr(range));
  const unknown = (names: readonly string[]) => names.filter((name) => name !== readsOnly && !isOperation(name));
  const problems = [
    ...(expiresAt > now ? [] : [problemOf("expiresAt", "in_future", {})]),
    ...(expiresAt < now + tokenDaysMax * dayMs ? [] : [problemOf("expiresAt", "token_days", { days: tokenDaysMax })]),
    ...(wrong.length === 0 ? [] : [problemOf("allowFrom", "address_ranges", { wrong })]),
    ...unknown(operations).map((value) => problemOf("operations", "unknown_operation", { value })),
    ...unknown(freed).map((value) => problemOf("freed", "unknown_operation", { value })),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
  if (freed.length > 0 && caller.role !== null && caller.role !== "owner") throw new OperatorError("token_frees");
  return { name: input.name, expiresAt, allowFrom, operations, freed, readsTexts };
}

/** A provider may have opened the reader's session with less than the user's own role. */
function withOwnRole(input: CreateInput, { caller: { role: own } }: OperationCall): CreateInput {
  const { role = own } = input;
  if (own !== null && role !== null && lesserRole(role, own) !== role) throw new OperatorError("token_role");
  return role === null ? input : { ...input, role };
}

async function created(user: string, input: CreateInput, deps: OperatorDeps, call: OperationCall) {
  const role = input.role ?? deps.users.all().find(({ name }) => name === user)?.role;
  if (role === undefined) throw new OperatorError("user_not_found");
  const { text, token } = await deps.userTokens.create(user, { ...checked(input, deps, call), role });
  return { ...tokenAnswer(token, deps), token: text };
}

export type CreatedTokenAnswer = Awaited<ReturnType<typeof created>>;

const tokenOf = (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "";

const tokenAudit = {
  target: tokenOf,
  state: (deps: OperatorDeps, input: Fields, answer: Fields) => {
    const id = foundOrNull(() => tokenIdOf(tokenOf(input, answer)));
    const found = id === null ? null : deps.userTokens.show(id);
    if (found === null) return null;
    const { lastUsedAt: _, ...kept } = tokenAnswer(found, deps);
    return kept;
  },
};

/** Who has no name at the console has no tokens. */
function own(call: OperationCall): number {
  const { userId } = call.caller;
  if (userId === null) throw new OperatorError("user_not_found");
  return userId;
}

const ownName = ({ users }: OperatorDeps, userId: number) => users.all().find(({ id }) => id === userId)?.name ?? "";

export const userTokenAdmin = {
  "GET /tokens": reads({
    may: "users.read",
    input: { user: t.Optional(t.String()) },
    run: (deps, { user }) => {
      const tokens = deps.userTokens.list().map((token) => tokenAnswer(token, deps));
      return tokens.filter((token) => user === undefined || token.user === user);
    },
  }),
  "POST /tokens": changes({
    may: "users.change",
    input: { ...createFields, user: fieldSchema(tokenOwner) },
    run: (deps, { user, ...input }, call) => created(user, input, deps, call),
    audit: { action: "token.create", ...tokenAudit },
  }),
  /** Which operations it does without a person's confirmation. */
  "PUT /tokens/:id/freed": changes({
    may: "users.change",
    input: { id: t.String(), ...requiredSchemas(pick(tokenFields, "freed")) },
    run: async (deps, { id, freed }, { isOperation }) => {
      const unknown = freed.filter((name) => !isOperation(name));
      if (unknown.length > 0) {
        throw invalidRequest(unknown.map((value) => problemOf("freed", "unknown_operation", { value })));
      }
      return tokenAnswer(await deps.userTokens.free(tokenIdOf(id), freed), deps);
    },
    audit: { action: "token.free", ...tokenAudit },
  }),
  "DELETE /tokens/:id": changes({
    may: "users.change",
    input: { id: t.String() },
    run: async (deps, { id }) => tokenAnswer(await deps.userTokens.revoke(tokenIdOf(id)), deps),
    audit: { action: "token.revoke", ...tokenAudit },
  }),
  "GET /own/tokens": reads({
    may: "own.settings",
    scope: "account",
    input: { account: accountField },
    run: (deps, _, call) => deps.userTokens.list(own(call)).map((token) => tokenAnswer(token, deps)),
  }),
  "POST /own/tokens": changes({
    may: "own.settings",
    scope: "account",
    input: { ...createFields, account: accountField },
    run: (deps, input, call) => created(ownName(deps, own(call)), withOwnRole(input, call), deps, call),
    audit: { action: "token.create", ...tokenAudit },
  }),
  "DELETE /own/tokens/:id": changes({
    may: "own.settings",
    scope: "account",
    input: { id: t.String(), account: accountField },
    run: async (deps, { id }, call) => tokenAnswer(await deps.userTokens.revoke(tokenIdOf(id), own(call)), deps),
    audit: { action: "token.revoke", ...tokenAudit },
  }),
};
