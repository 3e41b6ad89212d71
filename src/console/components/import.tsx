/** Bringing many rows in from a file: what was understood of it, how far it is, and which lines were refused and why. */
import { useLocale } from "../locale.ts";
import { Card, Progress } from "./blocks.tsx";
import { type Option, SelectField } from "./forms.tsx";
import { Icon } from "./inline.tsx";

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
