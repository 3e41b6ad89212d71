/** The console's users: add, list, reset, disable, and the link by which one chooses a password. */
import { Elysia, t } from "elysia";
import { roles } from "../domain/roles.ts";
import { isoTime } from "../platform/clock.ts";
import type { UserRow } from "../store/users.ts";
import type { SetupLink } from "../users/user-service.ts";
import { callerOf } from "./caller.ts";
import type { OperatorDeps, ServerFacts } from "./deps.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { oneOf, told } from "./schemas.ts";

/** In lower case alone: nobody can look like another user. */
const userNameSchema = t.String({
  pattern: "^[a-z0-9][a-z0-9._@+-]{1,63}$",
  ...told("user_name", {}),
});

export type UserStatus = "invited" | "active" | "disabled";

export type UserAnswer = ReturnType<typeof userAnswer>;

export function userAnswer({ name, role, accountId, passwordHash, sealedFactor, disabledAt, createdAt }: UserRow) {
  const status: UserStatus = disabledAt !== null ? "disabled" : passwordHash === null ? "invited" : "active";
  return {
    name,
    role,
    /** Of a customer; null for everybody else. */
    account: accountId === null ? null : accountIdText(accountId),
    /** `invited`: no password was chosen since the user was added or reset. */
    status,
    secondFactor: sealedFactor !== null,
    createdAt: isoTime(createdAt),
  };
}

export type SetupAnswer = ReturnType<typeof setupAnswer>;

/** The token is in this answer alone and cannot be had again. */
function setupAnswer({ user, link: { token, expiresAt } }: { user: UserRow; link: SetupLink }, facts: ServerFacts) {
  const path = `/setup/${token}`;
  const base = user.role === "customer" ? facts.portalUrl : facts.consoleUrl;
  return {
    ...userAnswer(user),
    /** `url`: null for a customer while no portal is served. */
    setup: { token, path, url: base === null ? null : base + path, expiresAt: isoTime(expiresAt) },
  };
}

export function userRoutes({ users, facts }: Pick<OperatorDeps, "users" | "facts">) {
  return new Elysia({ prefix: "/users" })
    .post(
      "/",
      async ({ body: { name, role, account } }) =>
        setupAnswer(await users.add(name, role, account === undefined ? null : accountIdOf(account)), facts),
      { body: t.Object({ name: userNameSchema, role: oneOf(roles), account: t.Optional(t.String()) }) },
    )
    .get("/", () => users.all().map(userAnswer))
    .post("/setup-link", async () => setupAnswer(await users.setupLink(), facts))
    .post("/:name/reset", async ({ params, request }) =>
      setupAnswer(await users.reset(params.name, callerOf(request).userId), facts),
    )
    .post("/:name/disable", async ({ params }) => userAnswer(await users.disable(params.name)));
}
