/** A customer's people, for those of them who may invite. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { type CustomerRole, customerRoles } from "../../../domain/roles.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { ownAccountOf } from "../../page/viewer.ts";
import { ColleagueRolePage, ColleaguesPage, InvitationNotice } from "./colleagues.tsx";
import { colleaguesWords } from "./words.ts";

const { form, question } = usualPages("colleagues", { read: "colleagues.change", change: "colleagues.change" });

const wordsOf = ({ locale }: PageCall) => colleaguesWords[locale.language];

const roleIn = (text: string): CustomerRole => customerRoles.find((one) => one === text) ?? "customer-reads";

async function colleague(call: PageCall<{ readonly name: string }>) {
  const { rows } = await call.api("GET /accounts/:id/colleagues", { id: ownAccountOf(call.viewer) });
  const found = rows.find(({ name }) => name === call.params.name);
  if (found === undefined) throw new OperatorError("user_not_found");
  return found;
}

export const colleaguesPages = [
  ...form("/colleagues", {
    load: async (call) => ({
      colleagues: await call.api("GET /accounts/:id/colleagues", { id: ownAccountOf(call.viewer) }),
      texts: { name: "", role: "customer-sends", mail: "" },
    }),
    View: ColleaguesPage,
    async run(call, { texts: { name, role, mail } }) {
      const asked = { id: ownAccountOf(call.viewer), name, role: roleIn(role), mail: mail === "" ? undefined : mail };
      const { setup, mailedTo } = await call.api("POST /accounts/:id/colleagues", asked);
      if (setup === null) return done("/colleagues", wordsOf(call).invited(name, mailedTo ?? ""));
      return redirect("/colleagues", <InvitationNotice name={name} link={setup.url ?? setup.path} />);
    },
    refusedAt: { user_exists: "name" },
  }),
  ...form("/colleagues/:name/role", {
    async load(call) {
      const { name, role } = await colleague(call);
      return { name, texts: { role } };
    },
    View: ColleagueRolePage,
    async run(call, { name, texts }) {
      await call.api("PATCH /accounts/:id/colleagues/:name", {
        id: ownAccountOf(call.viewer),
        name,
        role: roleIn(texts.role),
      });
      return done("/colleagues", wordsOf(call).changed(name));
    },
  }),
  ...question("/colleagues/:name/remove", {
    ask: async (call) => ({ words: wordsOf(call).removing, name: (await colleague(call)).name, back: "/colleagues" }),
    async run(call) {
      const { name } = call.params;
      await call.api("POST /accounts/:id/colleagues/:name/remove", { id: ownAccountOf(call.viewer), name });
      return done("/colleagues", wordsOf(call).removed(name));
    },
  }),
];
