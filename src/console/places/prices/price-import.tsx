/** Importing a file of prices: its wrong lines are listed, and it can go on without them. */
import { csvLine } from "../../../domain/csv.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import type { OperatorProblem } from "../../../domain/operator-problem.ts";
import { priceFileCharactersMax, problemsMax } from "../../../domain/price-list.ts";
import { LinkButton } from "../../components/buttons.tsx";
import type { Locale } from "../../locale.ts";
import type { ChosenFile, ChosenFiles } from "../../page/chosen-files.ts";
import { leftOutIn } from "../../page/import-step.tsx";
import { download, type PageCall } from "../../page/page.ts";
import { placedProblem, problemSentence } from "../../page/refusal.ts";
import { again, done } from "../../page/usual-pages.tsx";
import type { WrongPrices } from "./price-import-form.tsx";
import { pricesHref } from "./price-list.tsx";
import { listsPage, pricesKit } from "./prices-pages.tsx";
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

async function tryImport(call: PageCall, files: ChosenFiles, { name, file, leaveOut = 0, wrongLines }: Attempt) {
  const { api, locale, viewer } = call;
  const { format } = locale;
  const say = pricesWords[locale.language];
  const csv = new TextDecoder().decode(file.bytes);
  try {
    const { imported, leftOut } = await api("POST /prices/:list/import", { list: name, csv, leaveOut });
    const saved = <LinkButton href={wrongLines ?? ""} icon="download" label={say.wrongLines.csv} />;
    const said = [say.imported(format.count(imported)), say.wrongLines.leftOut(format.count(leftOut))];
    const told = leftOut === 0 ? said.slice(0, 1) : said;
    return done(pricesHref(name), told.join(" "), { action: leftOut > 0 && wrongLines !== null ? saved : null });
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
    const { problems } = reason;
    if (problems.some(({ key }) => key === "list")) return again({ errors: { name: say.nameHint } });
    const told = problems.slice(0, problemsNamed).map((problem) => placedProblem(problem, locale));
    const lines = wrongLinesIn(csv, problems, locale);
    const kept = files.keep({ userId: viewer.userId, name: file.name, bytes: file.bytes, wrongLines: csvOf(lines) });
    const wrong: WrongPrices = {
      name,
      count: lines.length,
      shown: lines.slice(0, problemsShown),
      href: `/prices/-import/${kept}`,
      canLeaveOut: problems.length > leaveOut && problems.length < problemsMax && problems.every(isOfOneLine),
    };
    return again({ errors: { file: told.join(" · ") }, wrong });
  }
}

/** Problems that concern the rest of the file, or all of it. */
const wholeFile: readonly OperatorProblem["code"][] = ["unreadable_csv", "price_head", "no_prices"];
const isOfOneLine = ({ code }: OperatorProblem): boolean => !wholeFile.includes(code);

const { shown, part } = pricesKit;

const noFile: { texts: { name: string }; wrong: WrongPrices | null } = { texts: { name: "" }, wrong: null };

export const priceImportPages = ({ files }: { files: ChosenFiles }) => [
  part("/prices", {
    load: () => noFile,
    page: (call, file) => listsPage(call, { file }),
    async run(call, { texts: { name } }) {
      const say = pricesWords[call.locale.language];
      const file = call.form.file("file");
      if (file === null) return again({ errors: { file: call.locale.words.imports.noFile } });
      if (name === "") return again({ errors: { name: say.nameHint } });
      // As text, 16 MiB would block everyone for a fifth of a second before the operator API refuses it.
      if (file.size > priceFileCharactersMax) return again({ errors: { file: say.fileTooLarge } });
      const bytes = await file.bytes();
      return tryImport(call, files, { name, file: { name: file.name, bytes }, wrongLines: null });
    },
  }),
  // Goes on with a kept file, without the wrong lines that the reader has seen.
  part("/prices/-import/:file", {
    load: () => noFile,
    page: (call, file) => listsPage(call, { file }),
    async run(call, { texts: { name } }) {
      const { form, viewer, params, locale } = call;
      const file = files.of(viewer.userId, params.file);
      if (file === null) return again({ errors: { file: locale.words.imports.gone } });
      const wrongLines = `/prices/-import/${params.file}/wrong`;
      return tryImport(call, files, { name, file, wrongLines, ...leftOutIn(form) });
    },
  }),
  shown(
    "/prices/-import/:file/wrong",
    ({ viewer, params }) => {
      const csv = files.of(viewer.userId, params.file)?.wrongLines;
      if (csv === undefined) throw new OperatorError("not_found");
      return download("wrong-lines.csv", "text/csv; charset=utf-8; header=present", csv);
    },
    "prices.change",
  ),
];
