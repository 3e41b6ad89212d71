/** The documentation, for everyone who runs the service. */
import { OperatorError } from "../../../domain/operator-error.ts";
import type { Language } from "../../language.ts";
import { document, type PageAnswer, type PageCall, page } from "../../page/page.ts";
import { HelpContents, HelpPage } from "./help.tsx";
import { helpDocument } from "./help-document.tsx";

export const helpPages = [
  page({
    method: "GET",
    path: "/help",
    action: "status.read",
    answer: ({ shell }) => document(<HelpContents shell={shell("help")} />),
  }),
  page({
    method: "GET",
    path: "/help/:name",
    action: "status.read",
    answer: (call) => showDocument(call, "en", call.params.name),
  }),
  page({
    method: "GET",
    path: "/help/fa/:name",
    action: "status.read",
    answer: (call) => showDocument(call, "fa", call.params.name),
  }),
];

function showDocument({ shell }: PageCall, language: Language, name: string): PageAnswer {
  const found = helpDocument(language, name);
  if (found === null) throw new OperatorError("not_found");
  return document(<HelpPage shell={shell("help")} view={{ name, language, document: found }} />);
}
