/** Shows the form saved for this browser after its reader has signed in: nothing is sent automatically. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import type { Random } from "../../platform/random.ts";
import { Card, Notice } from "../components/blocks.tsx";
import { LinkButton } from "../components/buttons.tsx";
import { ForeignText } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { PostedForm } from "../components/post-form.tsx";
import type { SavedForms } from "../forms/saved-forms.ts";
import { renderDocument } from "../html.tsx";
import { useWords } from "../locale.ts";
import {
  type ConsolePage,
  type FormPlace,
  type PageAnswer,
  type PageCall,
  type PageMethod,
  redirect,
} from "../page/page.ts";
import { usualPages } from "../page/usual-pages.tsx";
import { savedFormWords } from "../places/sign-in/words.ts";
import { refilledForm } from "./form-refill.ts";
import type { PageTable } from "./page-table.ts";

export const savedFormPath = "/kept-form";

export interface SavedFormPagesDeps {
  savedForms: SavedForms;
  random: Pick<Random, "uuid">;
}

const { shown } = usualPages("settings", { read: "own.settings", change: "own.settings" });

/** `pages`: where the form's own page is looked up. */
export function savedFormPages({ savedForms, random }: SavedFormPagesDeps, pages: PageTable) {
  async function pageOf(form: PostedForm, call: PageCall) {
    for (const { page: path, action = form.path } of placesOf(form, pages)) {
      const shown = await pageAt(path, call, pages);
      if (shown?.kind !== "document") continue;
      const html = renderDocument(call.locale, shown.page, () => random.uuid());
      const filled = refilledForm(html, { ...form, path: action });
      if (filled !== null) return { kind: "written" as const, html: filled };
    }
    return <SavedFormPage fields={form.fields} />;
  }
  return [
    shown(savedFormPath, async (call) => {
      const { formTicket: ticket, viewer } = call;
      const form = ticket === null ? null : savedForms.of(ticket, viewer.userId);
      if (ticket === null || form === null) return redirect("/");
      const page = await pageOf(form, call);
      // A page that fails does not use it up.
      savedForms.drop(ticket);
      return page;
    }),
  ];
}

/** Null where there is no page for signed-in users. */
function declaredAt(pages: PageTable, method: PageMethod, path: string): { page: ConsolePage; params: object } | null {
  const found = pages.find(method, path);
  if (found === null || found === "wrongMethod" || !("action" in found.page)) return null;
  return { page: found.page, params: found.params };
}

/** Where its form may be shown: on the page that it declares, otherwise at its own address, then at those above. */
function placesOf({ path, fields }: PostedForm, pages: PageTable): FormPlace[] {
  const { pathname, search } = new URL(path, "http://localhost");
  const found = declaredAt(pages, "POST", pathname);
  if (found === null) return [];
  const value = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? "";
  const place = found.page.formAt?.({ path, value });
  if (place !== undefined) return [place];
  const segments = pathname.split("/");
  const above = segments.slice(2).map((_, index) => segments.slice(0, -1 - index).join("/") + search);
  return [path, ...above].map((page) => ({ page }));
}

/** Null if there is none, or its reader may not see it. */
async function pageAt(path: string, call: PageCall, pages: PageTable): Promise<PageAnswer | null> {
  const { pathname, searchParams: query } = new URL(path, "http://localhost");
  const found = declaredAt(pages, "GET", pathname);
  if (found === null || !roleMay(call.viewer.role, found.page.action)) return null;
  const { again } = savedFormWords[call.locale.language];
  const takeNotices = () => <Notice tone="warn">{again}</Notice>;
  const shell: PageCall["shell"] = (place) => ({ ...call.shell(place), path, takeNotices });
  try {
    return await found.page.answer({ ...call, path, params: found.params, query, shell });
  } catch (reason) {
    if (reason instanceof OperatorError) return null;
    throw reason;
  }
}

function SavedFormPage({ fields }: Pick<PostedForm, "fields">) {
  const say = useWords(savedFormWords);
  const typed = fields.filter(([, value]) => value !== "");
  return (
    <PageLayout title={say.title} lead={say.lead}>
      <Card>
        <p class="muted">{say.noPage}</p>
        <ul class="stack">
          {typed.map(([name, value], index) => (
            <li key={`${name} ${index}`}>
              <ForeignText text={value} />
            </li>
          ))}
        </ul>
        <p>
          <LinkButton href="/" label={say.leave} />
        </p>
      </Card>
    </PageLayout>
  );
}
