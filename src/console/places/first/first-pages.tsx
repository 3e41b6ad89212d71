/** The path from an empty service to a first delivered text: each step can be skipped, and taken up again later. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import type { Random } from "../../../platform/random.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput } from "../../format/input.ts";
import { madePage, type PageCall, redirect } from "../../page/page.ts";
import { problemSentence, refusalSentence, refusedFields } from "../../page/refusal.ts";
import { again, usualPages } from "../../page/usual-pages.tsx";
import { activeSender, curlExample } from "../keys/keys-view.ts";
import { stepsOf } from "../messages/message-steps.ts";
import type { CarrierView } from "../routes/carrier-data.ts";
import { addCarrier, emptyView } from "../routes/carrier-pages.tsx";
import { carrierNamed } from "../routes/carrier-view.ts";
import { AccountStep, CarrierStep, DoneStep, KeyStep, MadeKeyStep, SentStep, TextStep } from "./first-steps.tsx";
import { nextStep, standingOf, stepHref } from "./standing.ts";
import { pathWords } from "./words.ts";

export interface FirstPagesDeps {
  apiUrl: string;
  random: Pick<Random, "uuid">;
}

const change = "accounts.change";
const { shown, form, button, live } = usualPages("now", { read: change, change });
const carrierPath = "/first/carrier";

async function postCarrier(call: PageCall) {
  const standing = await standingOf(call);
  const Page = ({ view }: { view: CarrierView }) => <CarrierStep standing={standing} view={view} />;
  return addCarrier(call, { newAt: carrierPath, Page, added: () => redirect(stepHref("account")) });
}

const carrierPages = [
  shown(carrierPath, async (call) => {
    const view = { ...emptyView(carrierNamed(call.query.get("carrier"))), newAt: carrierPath, isShort: true };
    return <CarrierStep standing={await standingOf(call)} view={view} />;
  }),
  button(carrierPath, postCarrier, {
    action: "routes.change",
    secretFields: ["file"],
    formAt: ({ value }) => ({ page: `${carrierPath}?carrier=${encodeURIComponent(value("carrier"))}` }),
  }),
];

/** Everything under the one field that is asked for. */
const asOne =
  (field: string) =>
  (reason: unknown, call: PageCall): FieldErrors => {
    if (!(reason instanceof OperatorError)) throw reason;
    const problems = reason.problems.map((problem) => problemSentence(problem, call.locale));
    return { [field]: problems.length > 0 ? problems.join(" ") : refusalSentence(reason, call.locale) };
  };

const accountPages = form("/first/account", {
  async load(call) {
    const standing = await standingOf(call);
    return { standing, texts: { name: "", sender: "", route: standing.routes[0] ?? "", account: "" } };
  },
  View: AccountStep,
  async run({ api, locale }, { standing, texts }) {
    const { name, route } = texts;
    // It was made before, and its sender refused.
    const account = texts.account === "" ? (await api("POST /accounts", { name })).id : texts.account;
    try {
      const routes = standing.made.carrier === null || route === "" ? [] : [route];
      await api("POST /accounts/:id/senders", { id: account, sender: cleanInput(texts.sender), routes });
      return redirect(stepHref("key"));
    } catch (reason) {
      const isTaken = reason instanceof OperatorError && reason.code === "sender_exists";
      const errors = isTaken ? { sender: refusalSentence(reason, locale) } : refusedFields(reason, locale);
      return again({ texts: { ...texts, account }, errors });
    }
  },
});

const keyPages = ({ apiUrl }: FirstPagesDeps) =>
  form("/first/key", {
    async load(call) {
      const standing = await standingOf(call);
      if (standing.sending === null) return redirect(stepHref("account"));
      if (!roleMay(call.viewer.role, "keys.change")) return redirect(stepHref("text"));
      return { standing, account: standing.sending.account, texts: { name: "backend" } };
    },
    View: KeyStep,
    async run(call, { account, texts: { name } }) {
      const { apiKey } = await call.api("POST /keys", { account, name });
      const example = curlExample(apiUrl, apiKey, await activeSender(call.api, account));
      return madePage(<MadeKeyStep {...{ standing: await standingOf(call), apiKey, example }} />, stepHref("text"));
    },
  });

const textPages = ({ random }: FirstPagesDeps) => [
  ...form("/first/text", {
    knowsRepeats: true,
    async load(call) {
      const standing = await standingOf(call);
      if (standing.sending === null) return redirect(stepHref("account"));
      const message = pathWords[call.locale.language].text.body(call.viewer.user);
      return { standing, sending: standing.sending, texts: { number: "", message, key: random.uuid() } };
    },
    View: TextStep,
    async run({ api }, { sending: { account, sender }, texts }) {
      const { firstTrackingCode } = await api("POST /messages", {
        account,
        sender,
        recipients: [cleanInput(texts.number)],
        message: texts.message,
        idempotencyKey: texts.key,
      });
      return redirect(`/first/text/${firstTrackingCode}`);
    },
    refused: asOne("number"),
  }),
  ...live("/first/text/:code", {
    async load(call) {
      const { code } = call.params;
      const message = await call.api("GET /messages/:trackingCode", { trackingCode: code });
      const { status } = message;
      return {
        standing: await standingOf(call),
        code,
        steps: stepsOf(message, "staff", call.locale),
        status: status === "delivered" || status === "failed" ? status : null,
      };
    },
    View: SentStep,
  }),
];

export const firstPages = (deps: FirstPagesDeps) => [
  shown("/first", async (call) => {
    const step = nextStep(await standingOf(call));
    return redirect(step === "done" ? "/" : stepHref(step));
  }),
  ...carrierPages,
  ...accountPages,
  ...keyPages(deps),
  ...textPages(deps),
  shown("/first/done", async (call) => <DoneStep standing={await standingOf(call)} />),
];
