/** The documentation, for everyone who runs the service. */
import { OperatorError } from "../../../domain/operator-error.ts";
import type { Language } from "../../language.ts";
import { download, openPage, redirect } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { documents } from "./documents.ts";
import { HelpContents, HelpPage } from "./help.tsx";
import { helpDocument } from "./help-document.tsx";
import { llmsFullText, llmsText } from "./llms.ts";

const { shown } = usualPages("help", { read: "status.read", change: "status.read" });

function documentOf(language: Language, name: string) {
  const document = helpDocument(language, name);
  if (document === null) throw new OperatorError("not_found");
  return <HelpPage {...{ name, language, document }} />;
}

/** For agents, which have no session; what it says is public anyway. */
const forAgents = (path: "/help/llms.txt" | "/help/llms-full.txt", text: (origin: string) => string) =>
  openPage({
    method: "GET",
    path,
    answer: ({ side, origin }) =>
      side === "portal"
        ? redirect("/")
        : download(path.slice("/help/".length), "text/plain; charset=utf-8", text(origin)),
  });

export const helpPages = [
  forAgents("/help/llms.txt", (origin) => llmsText(documents.en, (name) => `${origin}/help/${name}`)),
  forAgents("/help/llms-full.txt", () => llmsFullText(documents.en)),
  shown("/help", () => <HelpContents />),
  shown("/help/:name", ({ params }) => documentOf("en", params.name)),
  shown("/help/fa/:name", ({ params }) => documentOf("fa", params.name)),
];
