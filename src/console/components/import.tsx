/** Bringing many rows in from a file: what was understood of it, how far it is, and which lines were refused and why. */
import type { ComponentChildren } from "preact";
import type { Count } from "../format/format.ts";
import { useLocale } from "../locale.ts";
import { Card, Progress } from "./blocks.tsx";
import { type Option, SelectField } from "./forms.tsx";
import { Icon } from "./inline.tsx";
import { EnglishSentence } from "./sentence.tsx";

export interface ImportPreviewView {
  file: string;
  rows: number;
  /** The file's columns, each with what it was taken for. */
  columns: readonly { head: string; takenFor: string }[];
  choices: readonly Option[];
  /** The first rows, as they stand in the file. */
  sample: readonly (readonly string[])[];
  action: string;
  back: string;
}

export function ImportPreview({ view }: { view: ImportPreviewView }) {
  const { words, format } = useLocale();
  return (
    <form class="stack" method="post" action={view.action}>
      <Card title={words.imports.preview(view.file)} flush>
        <div class="scroll">
          <table class="plain-table">
            <thead>
              <tr>
                {view.columns.map(({ head, takenFor }, index) => (
                  <th scope="col" key={head}>
                    <SelectField name={`column-${index}`} label={head} value={takenFor} options={view.choices} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {view.sample.map((cells) => (
                <tr key={cells.join("\t")}>
                  {cells.map((cell, index) => (
                    <td key={view.columns[index]?.head} dir="auto">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <p class="form-buttons">
        <a class="button" href={view.back}>
          {words.actions.back}
        </a>
        <button type="submit" class="button button-primary">
          {words.imports.start(format.count(view.rows))}
        </button>
      </p>
    </form>
  );
}

export interface ImportProgressView {
  done: number;
  total: number;
  refused: readonly { line: number; value: string; reason: string }[];
  refusedCount: number;
  refusedCsv: string;
}

export function ImportProgress({ view }: { view: ImportProgressView }) {
  const { words, format } = useLocale();
  const [done, total, refused] = [view.done, view.total, view.refusedCount].map((one) => format.count(one));
  if (done === undefined || total === undefined || refused === undefined) return null;
  return (
    <Card title={words.imports.title}>
      <Progress done={done} total={total} label={words.imports.progress(done, total, refused)} />
      <p class="muted">{words.imports.leave}</p>
      {view.refused.length === 0 ? null : (
        <ul class="refused">
          {view.refused.map(({ line, value, reason }) => (
            <li key={line}>
              <span class="muted">{words.imports.line(format.plain(line))}</span>
              <span class="refused-value">{value}</span>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {view.refusedCount === 0 ? null : (
        <a class="button" href={view.refusedCsv}>
          <Icon name="download" />
          {words.imports.refusedCsv}
        </a>
      )}
    </Card>
  );
}

interface ImportRunProps {
  /** Path of its page. */
  href: string;
  progress: ImportProgressView;
  /** How it ended; null while it runs. */
  ended: ComponentChildren;
  back: { href: string; title: string };
}

/** Asks for itself anew every second while the import runs. */
export function ImportRun({ href, progress, ended, back }: ImportRunProps) {
  const { words } = useLocale();
  const again = ended === null ? { "hx-get": href, "hx-trigger": "every 1s", "hx-swap": "outerHTML" } : {};
  return (
    <div class="stack" id="import" {...again}>
      <ImportProgress view={progress} />
      {ended === null ? (
        <p>
          <a class="button" href={href}>
            {words.imports.look}
          </a>
        </p>
      ) : (
        <Card>
          <p class="strong">{ended}</p>
          <p>
            <a class="button button-primary" href={back.href}>
              {back.title}
            </a>
          </p>
        </Card>
      )}
    </div>
  );
}

/** `members`: in the new list, or new on a list of numbers. */
export type ImportEnd =
  | { kind: "done"; members: number; repeated: number }
  | { kind: "wrong" }
  | { kind: "refused"; message: string };

interface ImportEndedProps {
  end: ImportEnd;
  done: (members: Count, repeated: Count) => string;
}

/** How it ended, in a sentence. */
export function ImportEnded({ end, done }: ImportEndedProps) {
  const { words, format } = useLocale();
  if (end.kind === "refused") return <EnglishSentence>{end.message}</EnglishSentence>;
  const said = end.kind === "wrong" ? words.imports.wrong : done(format.count(end.members), format.count(end.repeated));
  return <span>{said}</span>;
}
