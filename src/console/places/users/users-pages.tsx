/** Users, for owners. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { type Role, roles } from "../../../domain/roles.ts";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import type { Locale } from "../../locale.ts";
import { accountOptions, resolveAccount } from "../../page/accounts-and-senders.ts";
import { askedPart, rangeOf, shownPart } from "../../page/list-part.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import { DisabledNotice, SetupLinkNotice, UsersPage, type UsersView, userQuestion } from "./users.tsx";
import { usersWords } from "./words.ts";

export const usersPages = [
  page({
    method: "GET",
    path: "/users",
    action: "users.read",
    answer: async (call) =>
      document(<UsersPage shell={call.shell("system")} view={await usersView(call, emptyFormIn(call))} />),
  }),
  page({ method: "POST", path: "/users", action: "users.change", answer: addUser }),
  ...(["reset", "disable"] as const).map((action) =>
    page({
      method: "GET",
      path: `/users/:name/${action}`,
      action: "users.change",
      answer: ({ params, shell, locale, viewer }) => {
        if (action === "reset" && params.name === viewer.user) throw new OperatorError("own_reset");
        return document(<ConfirmPage shell={shell("system")} view={userQuestion(action, params.name, locale)} />);
      },
    }),
  ),
  page({
    method: "POST",
    path: "/users/:name/reset",
    action: "users.change",
    answer: async ({ api, params: { name } }) => {
      const { setup } = await api("POST /users/:name/reset", { name });
      return redirect("/users", <SetupLinkNotice user={name} {...setup} />);
    },
  }),
  page({
    method: "POST",
    path: "/users/:name/disable",
    action: "users.change",
    answer: async ({ api, params: { name } }) => {
      await api("POST /users/:name/disable", { name });
      return redirect("/users", <DisabledNotice user={name} />);
    },
  }),
];

const emptyForm: UsersView["form"] = { name: "", role: "operator", account: "", errors: {} };

/** From an account's page, for a person of its customer. */
function emptyFormIn({ query }: PageCall): UsersView["form"] {
  const account = query.get("account");
  return account === null ? emptyForm : { ...emptyForm, role: "customer", account };
}

async function usersView({ api, query }: PageCall, form: UsersView["form"]): Promise<UsersView> {
  const asked = askedPart(query);
  const [users, accounts] = await Promise.all([api("GET /users", rangeOf(asked)), accountOptions(api)]);
  return { users: shownPart(users, asked), accounts, form };
}

async function addUser(call: PageCall): Promise<PageAnswer> {
  const { api, form, shell, locale } = call;
  const name = form.text("name");
  const role: Role = roles.find((one) => one === form.text("role")) ?? emptyForm.role;
  const account = form.text("account");
  try {
    const of = account === "" ? {} : { account: await resolveAccount(api, account, locale) };
    const { setup } = await api("POST /users", { name, role, ...of });
    return redirect("/users", <SetupLinkNotice user={name} {...setup} />);
  } catch (reason) {
    const errors = errorsOf(reason, locale);
    return formAgain(
      <UsersPage shell={shell("system")} view={await usersView(call, { name, role, account, errors })} />,
    );
  }
}

function errorsOf(reason: unknown, locale: Locale): FieldErrors {
  if (!(reason instanceof OperatorError)) return refusedFields(reason, locale);
  const { code, problems } = reason;
  const say = usersWords[locale.language].wrong;
  if (code === "user_exists") return { name: say.exists };
  if (code === "account_not_found" || problems.some(({ key }) => key === "account")) return { account: say.account };
  if (problems.some(({ key }) => key === "name")) return { name: say.name };
  throw reason;
}
