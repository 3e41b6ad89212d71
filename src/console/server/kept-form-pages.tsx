/** Shows the form that was kept for this browser, after its reader has signed in: nothing is sent by itself. */
import { KeptFormPage } from "../pages/kept-form.tsx";
import type { KeptForms } from "./kept-forms.ts";
import { document, page, redirect } from "./page.ts";

export const keptFormPath = "/kept-form";

export const keptFormPages = (forms: KeptForms) => [
  page({
    method: "GET",
    path: keptFormPath,
    action: "own.settings",
    answer: ({ formTicket, shell }) => {
      const form = formTicket === null ? null : forms.of(formTicket);
      return form === null ? redirect("/") : document(<KeptFormPage shell={shell("settings")} view={form} />);
    },
  }),
];
