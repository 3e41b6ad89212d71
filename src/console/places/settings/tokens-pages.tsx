/** A user's own tokens, and the changes that programs ask for with them: a person confirms or rejects each. */
import type { Confirmations } from "../../../agents/confirmations.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { tokenFields } from "../../../fields/user-token.ts";
import { postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { originFor, sideOf } from "../../page/listener-side.ts";
import type { UserPagesDeps } from "../../page/own-changes.ts";
import { madePage, type PageCall } from "../../page/page.ts";
import { again, done, usualPages } from "../../page/usual-pages.tsx";
import { ConfirmationPage } from "./confirmation.tsx";
import { passwordErrors } from "./given-again.ts";
import { tokenWords } from "./token-words.ts";
import { CreatedTokenPage, NewTokenPage, tokensPath } from "./tokens.tsx";

export interface TokensPagesDeps extends Pick<UserPagesDeps, "users" | "sessions"> {
  confirmations: Confirmations;
}

const { shown, form, question, button } = usualPages("settings", { read: "own.settings", change: "own.settings" });

/** The token in the path, if it is the reader's. */
async function tokenAt({ api, params }: PageCall<{ readonly id: string }>) {
  const found = (await api("GET /own/tokens")).find(({ id }) => id === params.id);
  if (found === undefined) throw new OperatorError("token_not_found");
  return found;
}

const nothing = { name: "", role: "", expiresAt: null, allowFrom: [], operations: [], readsTexts: false, freed: [] };

const tokenPages = (deps: TokensPagesDeps) => [
  ...form(`${tokensPath}/new`, {
    secretFields: ["password"],
    load: ({ viewer, locale }) => ({
      texts: shownTexts(tokenFields, { ...nothing, role: viewer.role }, locale),
    }),
    typed: ({ form }, { texts }) => ({ texts: postedTexts(tokenFields, form, texts) }),
    View: NewTokenPage,
    async run(call, { texts }) {
      const { api, locale, origin } = call;
      const errors = await passwordErrors(deps, call);
      if (errors !== null) return again({ errors });
      const { name, token } = await api("POST /own/tokens", typedValues(tokenFields, texts, locale));
      return madePage(<CreatedTokenPage {...{ name, token, origin }} />, "/settings");
    },
    refusedAt: { token_limit_reached: "name" },
  }),
  ...question(`${tokensPath}/:id/revoke`, {
    async ask(call) {
      const { name } = await tokenAt(call);
      return { words: tokenWords[call.locale.language].revoking, name, back: "/settings#tokens" };
    },
    async run(call) {
      const { id, name } = await tokenAt(call);
      await call.api("DELETE /own/tokens/:id", { id });
      return done("/settings", tokenWords[call.locale.language].revoked(name));
    },
  }),
];

type ConfirmCall = PageCall<{ readonly id: string }>;

const confirmPages = ({ confirmations }: TokensPagesDeps) => {
  const asked = ({ params, viewer }: ConfirmCall) => confirmations.shown(params.id, viewer);
  return [
    shown("/confirm/:id", (call) => <ConfirmationPage {...asked(call)} />),
    button("/confirm/:id", async (call) => {
      const { pending } = asked(call);
      const { user: actor, userId, role, accountId } = call.viewer;
      const origin = originFor(sideOf(role), call.address);
      await confirmations.confirm(pending, { actor, userId, role, accountId, origin });
      return done(`/confirm/${pending.id}`, tokenWords[call.locale.language].confirm.states[pending.state.kind], {
        tone: pending.state.kind === "failed" ? "bad" : "ok",
      });
    }),
    button("/confirm/:id/reject", (call) => {
      const { pending } = asked(call);
      confirmations.reject(pending);
      return done(`/confirm/${pending.id}`, tokenWords[call.locale.language].confirm.states[pending.state.kind]);
    }),
  ];
};

export const tokensPages = (deps: TokensPagesDeps) => [...tokenPages(deps), ...confirmPages(deps)];
