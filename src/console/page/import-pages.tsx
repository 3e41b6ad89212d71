/**
 * The pages that import a file of members or numbers: it is chosen on the page of its list, looked through, imported,
 * and followed to its end.
 */
import type { VNode } from "preact";
import type { MemberColumn } from "../../domain/member-columns.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { ConsoleAction } from "../../domain/roles.ts";
import { ImportEnded, ImportRun } from "../components/import.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Count } from "../format/format.ts";
import type { Language } from "../language.ts";
import { useLocale, useWords } from "../locale.ts";
import type { ChosenFile, ChosenFiles } from "./chosen-files.ts";
import { type FileImports, type ImportInto, importEndOf, importProgressOf, refusedLinesOf } from "./file-imports.ts";
import { columnChoices, formAtPreview, importStep, keepFile, layoutIn, leftOutIn } from "./import-step.tsx";
import { document, download, formAgain, type PageAnswer, type PageCall, partial, redirect } from "./page.ts";
import type { UsualPages } from "./usual-pages.tsx";

export interface FileImportPagesDeps {
  files: ChosenFiles;
  imports: FileImports;
}

interface ImportWords {
  done(members: Count, repeated: Count): string;
  /** "To the list" */
  back: string;
}

/** A kind of list that files are imported into. */
interface ImportList<Params> {
  kind: ImportInto["kind"];
  /** The path of its page as declared; its imports are below. */
  path: string;
  change: ConsoleAction;
  columns: readonly MemberColumn[];
  isLimited: boolean;
  words: Readonly<Record<Language, ImportWords>>;
  /** The address of its page, or of one below it. */
  href(call: PageCall<Params>, rest?: string): string;
  /** The address of a running import, if it differs. */
  runHref?(call: PageCall<Params>, rest: string): string;
  named(call: PageCall<Params>): Promise<Omit<ImportInto, "kind">> | Omit<ImportInto, "kind">;
  /** Starts the import; `reading`: how the file is understood. */
  send(call: PageCall<Params>, file: ChosenFile, reading: object): Promise<{ body: ReadableStream<Uint8Array> }>;
  /** Its page, with what is wrong with the file. */
  refused(call: PageCall<Params>, file: string): Promise<VNode>;
}

/** `into.name`: null for a list of numbers, which is called as its place is. */
type Shown = ReturnType<typeof runOf> & { words: ImportList<unknown>["words"] };

function ImportPage(shown: Shown) {
  const { words } = useLocale();
  const { name, href } = shown.into;
  return (
    <PageLayout title={words.imports.title} above={{ title: name ?? words.places.suppression, href }}>
      <RunningImport {...shown} />
    </PageLayout>
  );
}

function RunningImport({ into, href, progress, end, words }: Shown) {
  const { done, back } = useWords(words);
  const ended = end === null ? null : <ImportEnded end={end} done={done} />;
  return <ImportRun href={href} progress={progress} ended={ended} back={{ href: into.href, title: back }} />;
}

function running({ viewer, params }: PageCall<{ readonly id: string }>, kind: string, imports: FileImports) {
  const found = imports.of(viewer.userId, params.id);
  if (found?.into.kind !== kind) throw new OperatorError("not_found");
  return found;
}

const runOf = (found: ReturnType<typeof running>, href: string, refusedCsv: string, { locale }: PageCall) => ({
  into: found.into,
  href,
  progress: importProgressOf(found, refusedCsv, locale),
  end: importEndOf(found, locale),
});

export function importPages<Params extends object>(
  { other }: Pick<UsualPages, "other">,
  list: ImportList<Params>,
  { files, imports }: FileImportPagesDeps,
) {
  type FileCall = PageCall<Params & { readonly file: string }>;
  type RunCall = PageCall<Params & { readonly id: string }>;
  const { kind, path, change, href, runHref = href } = list;
  const again = async (call: PageCall<Params>, wrong: string) => formAgain(await list.refused(call, wrong));

  async function choose(call: PageCall<Params>): Promise<PageAnswer> {
    const id = await keepFile(call, files);
    if (id === null) return again(call, call.locale.words.imports.noFile);
    return redirect(href(call, `/preview/${id}`));
  }
  async function look(call: FileCall): Promise<PageAnswer> {
    const { locale, viewer, params } = call;
    const file = files.of(viewer.userId, params.file);
    if (file === null) return again(call, locale.words.imports.gone);
    const { name } = await list.named(call);
    const [back, check] = [href(call), href(call, `/preview/${params.file}`)];
    return importStep(call, file, {
      above: { title: name ?? locale.words.places.suppression, href: back },
      isLimited: list.isLimited,
      choices: columnChoices(locale, list.columns),
      action: href(call, `/import/${params.file}`),
      check,
      back,
    });
  }
  async function start(call: FileCall): Promise<PageAnswer> {
    const { form, viewer, params, locale } = call;
    const file = files.of(viewer.userId, params.file);
    if (file === null) return again(call, locale.words.imports.gone);
    const into = { kind, ...(await list.named(call)) };
    const { body } = await list.send(call, file, { ...layoutIn(form), ...leftOutIn(form) });
    files.drop(params.file);
    return redirect(runHref(call, `/imports/${imports.start(viewer.userId, into, file.bytes, body)}`));
  }
  function show(call: RunCall): PageAnswer {
    const [own, refusedCsv] = ["", "/refused"].map((rest) => runHref(call, `/imports/${call.params.id}${rest}`));
    const shown = runOf(running(call, kind, imports), own ?? "", refusedCsv ?? "", call);
    if (call.isPiece) return partial(<RunningImport {...shown} words={list.words} />);
    return document(<ImportPage {...shown} words={list.words} />);
  }
  const refusedCsv = (call: RunCall) =>
    download("refused.csv", "text/csv; charset=utf-8", refusedLinesOf(running(call, kind, imports), call.locale));

  const action = change;
  return [
    other({ method: "POST", path: `${path}/preview`, action, answer: choose }),
    other({ method: "GET", path: `${path}/preview/:file`, action, answer: look }),
    other({ method: "POST", path: `${path}/preview/:file`, action, answer: look }),
    other({ method: "POST", path: `${path}/import/:file`, action, formAt: formAtPreview, answer: start }),
    other({ method: "GET", path: `${path}/imports/:id`, action, answer: show }),
    other({ method: "GET", path: `${path}/imports/:id/refused`, action, answer: refusedCsv }),
  ];
}
