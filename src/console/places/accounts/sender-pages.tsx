/** Senders: adding one with its routes, activating and deactivating, and changing routes. */
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { askedPart } from "../../page/list-part.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { senderList } from "./accounts-view.ts";
import { SenderFormPage, type TypedSender } from "./sender-form.tsx";
import { allSenders, postedSender, senderChoices, senderNow } from "./sender-form-view.ts";
import { AllSendersPage, SendersPage, sendersShown } from "./senders.tsx";
import { senderWords } from "./words.ts";

type AccountCall = PageCall<{ readonly id: string }>;

const pathOf = ({ params }: AccountCall): string => `/accounts/${params.id}`;
const wordsOf = ({ locale }: PageCall) => senderWords[locale.language];

const refusedAt = { sender_exists: "sender", route_not_found: "routes", plan_not_found: "plan" } as const;

const newSender: Pick<TypedSender, "texts"> = { texts: { sender: "", plan: "" } };

const change = "accounts.change";
const ofAll = usualPages("routes", { read: "routes.read", change });
const { shown, form, button } = usualPages("accounts", { read: "accounts.read", change });

export const senderPages = [
  ofAll.shown("/senders", async ({ api, query }) => (
    <AllSendersPage senders={await allSenders(api, { ...askedPart(query), rows: sendersShown })} />
  )),
  shown("/accounts/:id/senders", async ({ api, params, query, locale }) => {
    const asked = { ...askedPart(query), rows: sendersShown };
    const [account, senders] = await Promise.all([
      namedAccount(api, params.id),
      senderList(api, params.id, asked, locale),
    ]);
    return <SendersPage account={account} senders={senders} />;
  }),
  ...form("/accounts/:id/senders/new", {
    postedTo: "/accounts/:id/senders",
    formAt: ({ path }) => ({ page: `${path}/new`, action: path }),
    async load(call) {
      const { preferred, ...choices } = await senderChoices(call);
      // `?sender=`: one that its customer has asked for.
      const texts = { ...newSender.texts, sender: call.query.get("sender") ?? "" };
      return { ...choices, changed: null, texts, chosen: preferred };
    },
    typed: ({ form }) => postedSender(form),
    View: SenderFormPage,
    async run(call, { texts: { sender, plan }, chosen }) {
      const uses = { routes: [...chosen], plan: plan === "" ? null : plan };
      await call.api("POST /accounts/:id/senders", { id: call.params.id, sender, ...uses });
      return done(pathOf(call), wordsOf(call).added(sender));
    },
    refusedAt,
  }),
  button("/accounts/:id/senders/switch", async (call) => {
    const { id } = call.params;
    const active = call.form.text("active") === "yes";
    await call.api("PATCH /accounts/:id/senders/:sender", { id, sender: call.form.text("sender"), active });
    if (!call.form.has("part")) return redirect(pathOf(call));
    return redirect(`${pathOf(call)}/senders?${new URLSearchParams(call.form.text("part"))}`);
  }),
  ...form("/accounts/:id/senders/routes", {
    formAt: ({ path, value }) => ({
      page: `${path}?${new URLSearchParams({ sender: value("sender"), of: value("of") })}`,
      action: path,
    }),
    async load(call) {
      const { query, form } = call;
      const isOfAll = (query.get("of") ?? form.text("of")) === "all";
      const now = await senderNow(call, query.get("sender") ?? form.text("sender"));
      const { preferred: _, ...choices } = await senderChoices(call);
      return { ...choices, changed: { isOfAll }, ...now };
    },
    typed: ({ form }) => postedSender(form),
    View: SenderFormPage,
    async run(call, { texts: { sender, plan }, chosen, changed }) {
      const uses = { routes: [...chosen], plan: plan === "" ? null : plan };
      await call.api("PATCH /accounts/:id/senders/:sender", { id: call.params.id, sender, ...uses });
      return done(changed.isOfAll ? "/senders" : pathOf(call), wordsOf(call).changed(sender));
    },
    refusedAt,
  }),
];
