/** Patterns: listing, adding, trying with values, approving. */
import { cleanInput } from "../../format/input.ts";
import { accountOptions } from "../../page/accounts-and-senders.ts";
import { askedList } from "../../page/list-part.ts";
import { document, type PageAnswer, partial } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { type CodeCall, codeHref, hrefIn, isOwn, ownerOf, reference, typedOwner } from "./codes.ts";
import { noSample, PatternSampleShown, patternSampleOf, valueField } from "./pattern-sample.tsx";
import { NewPatternPage, PatternPage, PatternsPage } from "./patterns.tsx";
import { decisionsWords } from "./words.ts";

const { shown, form, button } = usualPages("patterns", { read: "patterns.read", change: "patterns.change" });

async function patternPage(call: CodeCall, typed = noSample): Promise<PageAnswer> {
  const pattern = await call.api("GET /patterns/:code", reference(call));
  const sample = await patternSampleOf(call.api, call.locale, pattern, typed);
  if (call.isPiece) return partial(<PatternSampleShown sample={sample} />);
  return document(<PatternPage {...{ pattern, sample }} {...(await ownerOf(call, "/patterns", pattern))} />);
}

/** Nothing is sent or stored. */
function tried(call: CodeCall): Promise<PageAnswer> {
  const { form } = call;
  const fields = form.names().filter((name) => name.startsWith(valueField));
  const values = new Map(fields.map((name) => [name.slice(valueField.length), form.raw(name)]));
  return patternPage(call, { values, to: cleanInput(form.text("to")) });
}

const decisions = (["approve", "suspend"] as const).map((what) =>
  button(
    `/patterns/:code/${what}`,
    async (call: CodeCall) => {
      await call.api(`POST /patterns/:code/${what}`, { by: call.viewer.user, ...reference(call) });
      return done(hrefIn("/patterns", call), decisionsWords[call.locale.language].done[what]);
    },
    { action: "patterns.approve" },
  ),
);

export const patternsPages = [
  shown("/patterns", async ({ api, query }) => (
    <PatternsPage patterns={await askedList(query, (range) => api("GET /patterns", range))} />
  )),
  ...form("/patterns/new", {
    load: async (call) => ({
      texts: { account: "", code: "", name: "", text: "", sender: "" },
      accounts: await accountOptions(call.api, isOwn(call)),
    }),
    typed({ form }) {
      const [account, code, name] = [form.text("account"), form.text("code"), form.text("name")];
      return { texts: { account, code, name, text: form.raw("text"), sender: cleanInput(form.text("sender")) } };
    },
    View: NewPatternPage,
    async run(call, { texts }) {
      const sender = texts.sender === "" ? null : texts.sender;
      const input = { ...texts, account: await typedOwner(call, texts.account), sender };
      const { code, account } = await call.api("POST /patterns", input);
      const href = codeHref("/patterns", { code, account: isOwn(call) ? null : account });
      return done(href, decisionsWords[call.locale.language].added);
    },
    refusedAt: { pattern_exists: "code" },
  }),
  shown("/patterns/:code", (call) => patternPage(call)),
  button("/patterns/:code/preview", tried, { action: "patterns.read" }),
  ...decisions,
];
