/** The documentation: its table of contents and its pages. */
import type { ComponentChildren } from "preact";
import { PageLayout } from "../../components/layout.tsx";
import type { Language } from "../../language.ts";
import { useLocale } from "../../locale.ts";
import { chapters, documents } from "./documents.ts";
import { helpPath, helpTitle } from "./help-document.tsx";
import { helpWords } from "./words.ts";

const directions = { en: "ltr", fa: "rtl" } as const;

export function HelpContents() {
  const { language, words, say } = useLocale(helpWords);
  return (
    <PageLayout title={words.places.help} lead={say.lead}>
      <div class="stack">
        {language === "fa" ? <Chapter title={say.persian} names={Object.keys(documents.fa)} language="fa" /> : null}
        {Object.entries(chapters).map(([key, names]) => (
          <Chapter key={key} title={chapterTitle(say.chapters, key)} names={names} language="en" />
        ))}
        {language === "en" ? <Chapter title={say.persian} names={Object.keys(documents.fa)} language="fa" /> : null}
      </div>
    </PageLayout>
  );
}

const chapterTitle = (titles: Readonly<Record<string, string>>, key: string) => titles[key] ?? key;

function Chapter({ title, names, language }: { title: string; names: readonly string[]; language: Language }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="help-list" lang={language} dir={directions[language]}>
        {names.map((name) => (
          <li key={name}>
            <a href={helpPath(language, name)}>{helpTitle(language, name)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Help {
  name: string;
  language: Language;
  document: ComponentChildren;
}

export function HelpPage({ name, language, document }: Help) {
  const { words, say } = useLocale(helpWords);
  const other = language === "en" ? "fa" : "en";
  return (
    <PageLayout title={words.places.help}>
      <p class="help-ways">
        <a href="/help">{say.contents}</a>
        {Object.hasOwn(documents[other], name) ? (
          <a href={helpPath(other, name)}>{other === "fa" ? say.inPersian : say.inEnglish}</a>
        ) : null}
      </p>
      <article class="card help" lang={language} dir={directions[language]}>
        {document}
      </article>
    </PageLayout>
  );
}
