/** Asking for a sender, refusing it, and being told of a low balance. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { parseWholeNumber } from "../../format/input.ts";
import { again, done, isRefused, notDone, usualPages } from "../../page/usual-pages.tsx";
import { ownAccountOf } from "../../page/viewer.ts";
import { AskSenderPage, BalanceAlertPage, ConfirmAddressPage, RefuseSenderPage } from "./asking.tsx";
import { askingWords, balanceAlertWords } from "./asking-words.ts";

const own = usualPages("account", { read: "sender-requests.read", change: "senders.ask" });
const approvals = usualPages("approvals", { read: "groups.approve", change: "accounts.change" });
const money = usualPages("money", { read: "balance.watch", change: "balance.watch" });

const senderPages = [
  ...own.form("/senders/ask", {
    opens: "sender-requests.read",
    async load(call) {
      const { rows } = await call.api("GET /sender-requests", { account: ownAccountOf(call.viewer) });
      return { requests: rows, texts: { sender: call.query.get("sender") ?? "", note: "" } };
    },
    View: AskSenderPage,
    async run(call, { texts }) {
      await call.api("POST /sender-requests", { account: ownAccountOf(call.viewer), ...texts });
      return done("/senders/ask", askingWords[call.locale.language].asked(texts.sender));
    },
    refusedAt: { sender_exists: "sender" },
  }),
  ...approvals.form("/approvals/senders/:request/refuse", {
    async load({ api, params }) {
      const { rows } = await api("GET /sender-requests");
      const found = rows.find(({ id }) => String(id) === params.request);
      if (found === undefined) throw new OperatorError("sender_request_not_found");
      return { sender: found.sender, request: found.id, texts: { note: "" } };
    },
    View: RefuseSenderPage,
    async run({ api, locale }, { request, sender, texts }) {
      await api("POST /sender-requests/:request/refuse", { request, note: texts.note });
      return done("/approvals", askingWords[locale.language].refused(sender));
    },
  }),
];

const confirmPath = "/balance-alert/confirm/:token";

const balancePages = [
  ...money.form("/balance-alert", {
    async load(call) {
      const answer = await call.api("GET /balance-watch", { account: ownAccountOf(call.viewer) });
      const { below, mail } = answer.watch ?? { below: "", mail: "" };
      return { answer, texts: { below: String(below), mail } };
    },
    View: BalanceAlertPage,
    async run(call, { texts }) {
      const say = balanceAlertWords[call.locale.language];
      const below = parseWholeNumber(texts.below);
      if (below === null || below < 1) return again({ errors: { below: say.belowWrong } });
      const asked = { account: ownAccountOf(call.viewer), below, mail: texts.mail };
      const { watch } = await call.api("PUT /balance-watch", asked);
      return done("/balance-alert", (watch?.isConfirmed === true ? say.saved : say.sent)(texts.mail));
    },
  }),
  money.shown(confirmPath, ({ path }) => <ConfirmAddressPage path={path} />),
  money.button(confirmPath, async (call) => {
    const say = balanceAlertWords[call.locale.language];
    const confirming = call.api("POST /balance-watch/confirm", {
      account: ownAccountOf(call.viewer),
      token: call.params.token,
    });
    if (await isRefused(confirming, "not_found")) return notDone("/balance-alert", say.notConfirmed);
    return done("/balance-alert", say.confirmed);
  }),
  money.button("/balance-alert/remove", async (call) => {
    await call.api("POST /balance-watch/remove", { account: ownAccountOf(call.viewer) });
    return done("/balance-alert", balanceAlertWords[call.locale.language].stopped);
  }),
];

export const askingPages = [...senderPages, ...balancePages];
