/** Groups: listing, adding, importing a list of members, approving it. */
import { memberColumns } from "../../../domain/member-columns.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { accountOptions } from "../../page/accounts-and-senders.ts";
import { type FileImportPagesDeps, importPages } from "../../page/import-pages.tsx";
import { askedList } from "../../page/list-part.ts";
import { redirect } from "../../page/page.ts";
import { done, isRefused, notDone, usualPages } from "../../page/usual-pages.tsx";
import { type CodeCall, codeHref, hrefIn, isOwn, ownerOf, reference, typedOwner } from "./codes.ts";
import { GroupPage, GroupsPage, NewGroupPage } from "./groups.tsx";
import { decisionsWords, groupsWords } from "./words.ts";

const usual = usualPages("groups", { read: "groups.read", change: "groups.change" });
const { shown, form, button } = usual;

async function groupPage(call: CodeCall, errors: FieldErrors = {}) {
  const group = await call.api("GET /groups/:code", reference(call));
  return <GroupPage {...{ group, errors }} {...(await ownerOf(call, "/groups", group))} />;
}

const decisions = (["approve", "suspend"] as const).map((what) =>
  button(
    `/groups/:code/${what}`,
    async (call: CodeCall) => {
      const { language } = call.locale;
      const decided = call.api(`POST /groups/:code/${what}`, { by: call.viewer.user, ...reference(call) });
      const to = hrefIn("/groups", call);
      if (await isRefused(decided, "nothing_to_approve")) return notDone(to, groupsWords[language].nothingToApprove);
      return done(to, decisionsWords[language].done[what]);
    },
    { action: "groups.approve" },
  ),
);

export const groupsPages = (deps: FileImportPagesDeps) => [
  shown("/groups", async ({ api, query }) => (
    <GroupsPage groups={await askedList(query, (range) => api("GET /groups", range))} />
  )),
  ...form("/groups/new", {
    load: async (call) => ({
      texts: { account: "", code: "", name: "" },
      accounts: await accountOptions(call.api, isOwn(call)),
    }),
    View: NewGroupPage,
    async run(call, { texts }) {
      const input = { ...texts, account: await typedOwner(call, texts.account) };
      const { code, account } = await call.api("POST /groups", input);
      return redirect(codeHref("/groups", { code, account: isOwn(call) ? null : account }));
    },
    refusedAt: { group_exists: "code" },
  }),
  shown("/groups/:code", (call) => groupPage(call)),
  ...decisions,
  ...importPages<CodeCall["params"]>(
    usual,
    {
      kind: "group",
      path: "/groups/:code",
      change: "groups.change",
      columns: memberColumns,
      isLimited: true,
      words: groupsWords,
      href: (call, rest) => hrefIn("/groups", call, rest),
      async named(call) {
        const { code, name, account } = await call.api("GET /groups/:code", reference(call));
        return { name, href: codeHref("/groups", { code, account: isOwn(call) ? null : account }) };
      },
      send: (call, { bytes }, reading) =>
        call.api("POST /groups/:code/import", { ...reference(call), ...reading }, { file: new Blob([bytes]) }),
      refused: (call, file) => groupPage(call, { file }),
    },
    deps,
  ),
];
