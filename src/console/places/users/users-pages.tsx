/** Users, for owners. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { type Role, roles } from "../../../domain/roles.ts";
import { accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import { askedList } from "../../page/list-part.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { SetupLinkNotice, UsersPage } from "./users.tsx";
import { usersWords } from "./words.ts";

const wordsOf = ({ locale }: PageCall) => usersWords[locale.language];

const { form, question } = usualPages("system", { read: "users.read", change: "users.change" });

/** From an account's page, for a person of its customer. */
function opened({ query }: PageCall): { name: string; role: Role; account: string } {
  const account = query.get("account");
  return { name: "", role: account === null ? "operator" : "customer", account: account ?? "" };
}

function typed({ form }: PageCall) {
  const role: Role = roles.find((one) => one === form.text("role")) ?? "operator";
  return { texts: { name: form.text("name"), role, account: form.text("account") } };
}

export const usersPages = [
  ...form("/users", {
    opens: "users.read",
    async load(call) {
      const { api, query } = call;
      const [users, accounts] = await Promise.all([
        askedList(query, (range) => api("GET /users", range)),
        accountOptions(api),
      ]);
      return { users, accounts, texts: opened(call) };
    },
    typed,
    View: UsersPage,
    async run({ api, locale }, { texts: { name, role, account } }) {
      const of = account === "" ? {} : { account: await resolveAccount(api, account, locale) };
      const { setup } = await api("POST /users", { name, role, ...of });
      return redirect("/users", <SetupLinkNotice user={name} {...setup} />);
    },
    refusedAt: { user_exists: "name", account_not_found: "account" },
  }),
  ...question("/users/:name/reset", {
    ask(call) {
      const { name } = call.params;
      if (name === call.viewer.user) throw new OperatorError("own_reset");
      return { words: wordsOf(call).resetting, name, back: "/users" };
    },
    async run({ api, params: { name } }) {
      const { setup } = await api("POST /users/:name/reset", { name });
      return redirect("/users", <SetupLinkNotice user={name} {...setup} />);
    },
  }),
  ...question("/users/:name/disable", {
    ask: (call) => ({ words: wordsOf(call).disabling, name: call.params.name, back: "/users" }),
    async run(call) {
      const { name } = call.params;
      await call.api("POST /users/:name/disable", { name });
      return done("/users", wordsOf(call).disabled(name));
    },
  }),
];
