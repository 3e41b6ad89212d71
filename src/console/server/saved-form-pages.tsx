/** Shows the form saved for this browser after its reader has signed in: nothing is sent automatically. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import type { Random } from "../../platform/random.ts";
import { Card, Notice } from "../components/blocks.tsx";
import { ForeignText } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import type { PostedForm } from "../components/post-form.tsx";
import type { SavedForms } from "../forms/saved-forms.ts";
import { renderDocument } from "../html.tsx";
import { useLocale } from "../locale.ts";
import { document, type FormPlace, type PageAnswer, type PageCall, page, redirect } from "../page/page.ts";
import { savedFormWords } from "../places/sign-in/words.ts";
import { refilledForm } from "./form-refill.ts";
import type { PageTable } from "./page-table.ts";

export const savedFormPath = "/kept-form";

export interface SavedFormPagesDeps {
  savedForms: SavedForms;
  random: Pick<Random, "uuid">;
}

/** `pages`: where the form's own page is looked up. */
export function savedFormPages({ savedForms, random }: SavedFormPagesDeps, pages: PageTable) {
  async function show(call: PageCall): Promise<PageAnswer> {
    const { formTicket, viewer } = call;
    const form = formTicket === null ? null : savedForms.of(formTicket, viewer.userId);
    if (formTicket === null || form === null) return redirect("/");
    const answer = await pageOf(form, call);
    // A page that fails does not use it up.
    savedForms.drop(formTicket);
    return answer;
  }

  async function pageOf(form: PostedForm, call: PageCall): Promise<PageAnswer> {
    for (const { page: path, action = form.path } of placesOf(form, pages)) {
      const shown = await pageAt(path, call, pages);
      if (shown?.kind !== "document") continue;
      const html = renderDocument(call.locale, shown.page, () => random.uuid());
      const filled = refilledForm(html, { ...form, path: action });
      if (filled !== null) return { kind: "written", html: filled };
    }
    return document(<SavedFormPage shell={call.shell("settings")} fields={form.fields} />);
  }
  return [page({ method: "GET", path: savedFormPath, action: "own.settings", answer: show })];
}

/** Where its form may be shown: on the page that it declares, otherwise at its own address, then at those above. */
function placesOf({ path, fields }: PostedForm, pages: PageTable): FormPlace[] {
  const { pathname, search } = new URL(path, "http://localhost");
  const found = pages.find("POST", pathname);
  if (found === null || found === "wrongMethod" || !("action" in found.page)) return [];
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
  const found = pages.find("GET", pathname);
  if (found === null || found === "wrongMethod" || !("action" in found.page)) return null;
  if (!roleMay(call.viewer.role, found.page.action)) return null;
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

export function SavedFormPage({ shell, fields }: { shell: Shell } & Pick<PostedForm, "fields">) {
  const { language } = useLocale();
  const say = savedFormWords[language];
  const typed = fields.filter(([, value]) => value !== "");
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
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
          <a class="button" href="/">
            {say.leave}
          </a>
        </p>
      </Card>
    </PageLayout>
  );
}
