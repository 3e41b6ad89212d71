/** The service's findings about itself, in the reader's language. */
import type { Finding } from "../../../operator/finding.ts";
import type { ServiceFinding } from "../../../operator/service-finding.ts";
import { englishFindings, type FindingTexts, findingWords } from "../../../words/en/service-finding.ts";
import { persianFindings } from "../../../words/fa/service-finding.ts";
import type { Language } from "../../language.ts";
import type { Locale } from "../../locale.ts";

const texts: Readonly<Record<Language, FindingTexts>> = { en: englishFindings, fa: persianFindings };

export function findingText(finding: ServiceFinding, { language, format }: Locale): Pick<Finding, "says" | "do"> {
  return findingWords(finding, texts[language], {
    number: (value) => format.number(value),
    bytes: (bytes) => format.bytes(bytes),
    date: (at) => format.date(at),
  });
}
