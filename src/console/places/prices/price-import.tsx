/** Importing a file of prices: its wrong lines are listed, and it can go on without them. */
import { csvLine } from "../../../domain/csv.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import type { OperatorProblem } from "../../../domain/operator-problem.ts";
import { problemsMax } from "../../../messaging/billing/price-lines.ts";
import { priceFileCharactersMax } from "../../../operator/prices.ts";
import { Notice } from "../../components/blocks.tsx";
import { Icon } from "../../components/inline.tsx";
import type { Locale } from "../../locale.ts";
import type { ChosenFile, ChosenFiles } from "../../page/chosen-files.ts";
import { leftOutIn } from "../../page/import-step.tsx";
import { download, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { placedProblem, problemSentence } from "../../page/refusal.ts";
import type { WrongPrices } from "./price-import-form.tsx";
import { pricesHref } from "./price-list.tsx";
import { pricesPage } from "./prices-pages.tsx";
import { pricesWords } from "./words.ts";

/** Named in the error of the file's field. */
const problemsNamed = 5;
const problemsShown = 20;

const lineOf = ({ key }: OperatorProblem): number => Number(/^line (\d+)$/.exec(key)?.[1] ?? 0);

function wrongLinesIn(text: string, problems: readonly OperatorProblem[], locale: Locale) {
  const lines = text.split("\n");
  return problems.map((problem) => ({
    line: lineOf(problem),
    value: lines[lineOf(problem) - 1]?.trim() ?? "",
    reason: problemSentence(problem, locale),
  }));
}

const csvOf = (lines: WrongPrices["shown"]): string =>
  [["line", "value", "reason"], ...lines.map(({ line, value, reason }) => [line, value, reason])].map(csvLine).join("");

interface Attempt {
  name: string;
  file: Pick<ChosenFile, "name" | "bytes">;
  leaveOut?: number;
  /** The path of its wrong lines, once they were seen. */
  wrongLines: string | null;
}

async function tryImport(call: PageCall, files: ChosenFiles, attempt: Attempt): Promise<PageAnswer> {
  const { locale } = call;
  const { name, file, leaveOut = 0, wrongLines } = attempt;
  const say = pricesWords[locale.language];
  const csv = new TextDecoder().decode(file.bytes);
  try {
    const { imported, leftOut } = await call.api("POST /prices/:list/import", { list: name, csv, leaveOut });
    const download = (
      <a class="button" href={wrongLines ?? ""}>
        <Icon name="download" />
        {say.wrongLines.csv}
      </a>
    );
    const notice = (
      <Notice tone="ok" action={leftOut > 0 && wrongLines !== null ? download : null}>
        {say.imported(locale.format.count(imported))}
        {leftOut === 0 ? null : ` ${say.wrongLines.leftOut(locale.format.count(leftOut))}`}
      </Notice>
    );
    return redirect(pricesHref(name), notice);
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
    return refused(call, files, { name, file, csv, leaveOut, problems: reason.problems });
  }
}

interface RefusedFile extends Pick<Attempt, "name" | "file"> {
  csv: string;
  /** Already left out of this attempt. */
  leaveOut: number;
  problems: readonly OperatorProblem[];
}

async function refused(call: PageCall, files: ChosenFiles, { name, file, csv, leaveOut, problems }: RefusedFile) {
  const { locale, viewer } = call;
  if (problems.some(({ key }) => key === "list")) {
    return formAgain(await pricesPage(call, { name, errors: { name: pricesWords[locale.language].nameHint } }));
  }
  const told = problems.slice(0, problemsNamed).map((problem) => placedProblem(problem, locale));
  const lines = wrongLinesIn(csv, problems, locale);
  const kept = files.keep({ userId: viewer.userId, name: file.name, bytes: file.bytes, wrongLines: csvOf(lines) });
  const wrong = {
    name,
    count: lines.length,
    shown: lines.slice(0, problemsShown),
    href: `/prices/-import/${kept}`,
    canLeaveOut: problems.length > leaveOut && problems.length < problemsMax && problems.every(isOfOneLine),
  };
  return formAgain(await pricesPage(call, { name, errors: { file: told.join(" · ") }, wrong }));
}

/** Problems that concern the rest of the file, or all of it. */
const wholeFile: readonly OperatorProblem["code"][] = ["unreadable_csv", "price_head", "no_prices"];
const isOfOneLine = ({ code }: OperatorProblem): boolean => !wholeFile.includes(code);

async function importFile(call: PageCall, files: ChosenFiles): Promise<PageAnswer> {
  const { form, locale } = call;
  const say = pricesWords[locale.language];
  const name = form.text("name");
  const file = form.file("file");
  if (file === null) return formAgain(await pricesPage(call, { name, errors: { file: say.noFile } }));
  if (name === "") return formAgain(await pricesPage(call, { name, errors: { name: say.nameHint } }));
  // As text, 16 MiB would block everyone for a fifth of a second before the operator API refuses it.
  if (file.size > priceFileCharactersMax) {
    return formAgain(await pricesPage(call, { name, errors: { file: say.fileTooLarge } }));
  }
  return tryImport(call, files, { name, file: { name: file.name, bytes: await file.bytes() }, wrongLines: null });
}

type KeptCall = PageCall<{ readonly file: string }>;

/** Goes on with a kept file, without the wrong lines that the reader has seen. */
async function importRest(call: KeptCall, files: ChosenFiles): Promise<PageAnswer> {
  const { form, viewer, params, locale } = call;
  const name = form.text("name");
  const file = files.of(viewer.userId, params.file);
  if (file === null) return formAgain(await pricesPage(call, { name, errors: { file: locale.words.imports.gone } }));
  const wrongLines = `/prices/-import/${params.file}/wrong`;
  return tryImport(call, files, { name, file, wrongLines, ...leftOutIn(form) });
}

function wrongLines({ viewer, params }: KeptCall, files: ChosenFiles): PageAnswer {
  const csv = files.of(viewer.userId, params.file)?.wrongLines;
  if (csv === undefined) throw new OperatorError("not_found");
  return download("wrong-lines.csv", "text/csv; charset=utf-8; header=present", csv);
}

const change = "prices.change";

export function priceImportPages({ files }: { files: ChosenFiles }) {
  return [
    page({ method: "POST", path: "/prices", action: change, answer: (call) => importFile(call, files) }),
    page({
      method: "POST",
      path: "/prices/-import/:file",
      action: change,
      answer: (call) => importRest(call, files),
    }),
    page({
      method: "GET",
      path: "/prices/-import/:file/wrong",
      action: change,
      answer: (call) => wrongLines(call, files),
    }),
  ];
}
