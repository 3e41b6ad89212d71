/** A change as a sentence: who did what, and which value became which. */
import type { ComponentChildren } from "preact";
import type { AuditAnswer } from "../../../operator/audit.ts";
import { Code, Name } from "../../components/inline.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { changedValues } from "./change-text.ts";
import { changeWords, isTold } from "./change-words.ts";

/** Beyond this a sentence is no longer read. */
const valuesShown = 3;

/** The account that the page is about is not named again. */
export function ChangeSentence({ entry }: { entry: AuditAnswer }) {
  const say = useWords(changeWords);
  const { actor, outcome } = entry;
  return (
    <span class="change-sentence">
      {outcome === "refused" ? <span class="muted">{say.refused} </span> : null}
      <strong>
        <Name>{actor}</Name>
      </strong>{" "}
      <Done {...entry} />
    </span>
  );
}

function Done(entry: AuditAnswer) {
  const locale = useLocale();
  const say = useWords(changeWords);
  const { action, target, before, after } = entry;
  const money = moneyChange(entry, locale);
  if (money !== null) return money;
  // `acc_1/30001234`: of the account that the reader is at, or of the one named elsewhere.
  const what = <Code key="target">{target.replace(/^acc_\d+\//, "")}</Code>;
  const done = isTold(action) ? filled(say.did(action), [what]) : [<Code key="action">{action}</Code>, " ", what];
  const values = before === null || after === null ? [] : changedValues(entry, locale);
  return (
    <>
      {done}
      {values.slice(0, valuesShown).map(({ name, was, is }, index) => (
        <span key={name}>
          {index === 0 ? ": " : "; "}
          {name} {filled(say.from, [<del key="was">{was}</del>, <strong key="is">{is}</strong>])}
        </span>
      ))}
      {values.length > valuesShown ? " …" : null}
    </>
  );
}

/** Null for any other change. */
function moneyChange({ action, before, after }: AuditAnswer, { language, format }: Locale): ComponentChildren {
  const say = changeWords[language];
  const value = (state: typeof after, name: string) => Reflect.get(state ?? {}, name);
  const amount = (one: unknown) => <strong key="is">{format.number(Number(one))}</strong>;
  if (action === "account.topup" || action === "account.correct") {
    const note = value(after, "note");
    const sum = filled(action === "account.topup" ? say.toppedUp : say.corrected, [amount(value(after, "amount"))]);
    return typeof note === "string" && note !== "" ? [...sum, say.note(note)] : sum;
  }
  const [was, is] = [value(before, "price"), value(after, "price")];
  if (action !== "price.set" || typeof is !== "number") return null;
  const prefix = <Code key="prefix">{String(value(after, "prefix") ?? "")}</Code>;
  if (typeof was !== "number") return filled(say.priced, [prefix, amount(is)]);
  return filled(is > was ? say.raised : say.lowered, [prefix, <del key="was">{format.number(was)}</del>, amount(is)]);
}

/** A sentence with something in each of its gaps. */
const filled = (sentence: string, gaps: readonly ComponentChildren[]): ComponentChildren[] =>
  sentence.split("{}").flatMap((text, index) => (index === 0 ? [text] : [gaps[index - 1], text]));
