/** The documentation, for everyone who runs the service. */
import { OperatorError } from "../../../domain/operator-error.ts";
import type { Language } from "../../language.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { HelpContents, HelpPage } from "./help.tsx";
import { helpDocument } from "./help-document.tsx";

const { shown } = usualPages("help", { read: "status.read", change: "status.read" });

function documentOf(language: Language, name: string) {
  const document = helpDocument(language, name);
  if (document === null) throw new OperatorError("not_found");
  return <HelpPage {...{ name, language, document }} />;
}

export const helpPages = [
  shown("/help", () => <HelpContents />),
  shown("/help/:name", ({ params }) => documentOf("en", params.name)),
  shown("/help/fa/:name", ({ params }) => documentOf("fa", params.name)),
];
