/** Shows the form that was kept for this browser, after its reader has signed in: nothing is sent by itself. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import type { Random } from "../../platform/random.ts";
import { Notice } from "../components/blocks.tsx";
import type { PostedForm } from "../components/post-form.tsx";
import { renderDocument } from "../html.tsx";
import { KeptFormPage } from "../pages/kept-form.tsx";
import { filledForm } from "./filled-form.ts";
import type { KeptForms } from "./kept-forms.ts";
import { document, type FormPlace, type PageAnswer, type PageCall, page, redirect } from "./page.ts";
import type { PageTable } from "./page-table.ts";

export const keptFormPath = "/kept-form";

export interface KeptFormPagesDeps {
  keptForms: KeptForms;
  random: Pick<Random, "uuid">;
}

/** `pages`: among which the form's own is found. */
export function keptFormPages({ keptForms, random }: KeptFormPagesDeps, pages: PageTable) {
  async function show(call: PageCall): Promise<PageAnswer> {
    const { formTicket, viewer } = call;
    const form = formTicket === null ? null : keptForms.of(formTicket, viewer.userId);
    if (formTicket === null || form === null) return redirect("/");
    const answer = await pageOf(form, call);
    // A page that fails does not use it up.
    keptForms.drop(formTicket);
    return answer;
  }

  async function pageOf(form: PostedForm, call: PageCall): Promise<PageAnswer> {
    for (const { page: path, action = form.path } of placesOf(form, pages)) {
      const shown = await pageAt(path, call, pages);
      if (shown?.kind !== "document") continue;
      const html = renderDocument(call.locale, shown.page, () => random.uuid());
      const filled = filledForm(html, { ...form, path: action });
      if (filled !== null) return { kind: "written", html: filled };
    }
    return document(<KeptFormPage shell={call.shell("settings")} fields={form.fields} />);
  }
  return [page({ method: "GET", path: keptFormPath, action: "own.settings", answer: show })];
}

/** Where its form may be shown: where its page says, else at its own address, then at those above it. */
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

/** Null where there is none, or its reader may not see it. */
async function pageAt(path: string, call: PageCall, pages: PageTable): Promise<PageAnswer | null> {
  const { pathname, searchParams: query } = new URL(path, "http://localhost");
  const found = pages.find("GET", pathname);
  if (found === null || found === "wrongMethod" || !("action" in found.page)) return null;
  if (!roleMay(call.viewer.role, found.page.action)) return null;
  const { again } = call.locale.words.keptForm;
  const shell: PageCall["shell"] = (place) => ({ ...call.shell(place), notices: <Notice tone="warn">{again}</Notice> });
  try {
    return await found.page.answer({ ...call, params: found.params, query, shell });
  } catch (reason) {
    if (reason instanceof OperatorError) return null;
    throw reason;
  }
}
