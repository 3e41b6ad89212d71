/** Importing many rows from a file: how it was understood, its progress, and which lines were refused and why. */

import type { ComponentChildren } from "preact";
import type { Count } from "../format/format.ts";
import { useLocale } from "../locale.ts";
import { Card, Figures, Progress } from "./blocks.tsx";
import { LinkButton } from "./buttons.tsx";
import { Choice, LivePiece, type Option, SelectField } from "./forms.tsx";
import { PostForm } from "./post-form.tsx";

interface RefusedLine {
  line: number;
  value: string;
  /** In the reader's language. */
  reason: string;
}

export interface ImportPreviewView {
  file: string;
  /** How each column is interpreted: one of the choices. */
  columns: readonly string[];
  choices: readonly Option[];
  hasHeader: boolean;
  /** The first rows, as in the file. */
  sample: readonly (readonly string[])[];
  /** Distinct numbers. */
  members: number;
  /** Lines with a number that occurred before. */
  repeated: number;
  /** The list's maximum; null where it has none. */
  membersMax: number | null;
  refused: readonly RefusedLine[];
  refusedCount: number;
  /** The import can go on without the wrong lines. */
  canLeaveOut: boolean;
  action: string;
  /** Also accepts the form to check the file again with the chosen columns. */
  check: string;
  back: string;
}

export function ImportPreview({ view }: { view: ImportPreviewView }) {
  const { words, format } = useLocale();
  const say = words.imports;
  const numbered = view.columns.map((takenFor, index) => ({
    takenFor,
    index,
    label: say.column(format.plain(index + 1)),
  }));
  return (
    <PostForm class="stack" action={view.action}>
      <Card title={say.preview(view.file)} flush>
        <div class="scroll">
          <table class="plain-table">
            <thead>
              <tr>
                {numbered.map(({ takenFor, index, label }) => (
                  <th scope="col" key={index}>
                    <SelectField name={`column-${index}`} label={label} value={takenFor} options={view.choices} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {view.sample.map((cells, row) => (
                <tr key={`${row} ${cells.join("\t")}`}>
                  {numbered.map(({ index }) => (
                    <td key={index}>
                      <bdi>{cells[index]}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Choice name="header" value="yes" label={say.header} checked={view.hasHeader} />
      <LivePiece id="findings" post={view.check}>
        <ImportFindings view={view} />
      </LivePiece>
    </PostForm>
  );
}

/** Also submitted on its own when a column is chosen; the buttons belong to it, since one names the wrong lines. */
export function ImportFindings({ view }: { view: ImportPreviewView }) {
  return (
    <div class="stack">
      <FoundInFile view={view} />
      <ImportButtons view={view} />
    </div>
  );
}

/** Enter presses the first button, which only checks. */
function ImportButtons({ view: { back, check, canLeaveOut, refusedCount } }: { view: ImportPreviewView }) {
  const { words, format } = useLocale();
  const say = words.imports;
  return (
    <p class="form-buttons">
      <button type="submit" class="button" formAction={check}>
        {say.check}
      </button>
      <button type="submit" class={canLeaveOut ? "button" : "button button-primary"}>
        {say.start}
      </button>
      {canLeaveOut ? (
        <button type="submit" class="button button-primary button-row" name="leaveOut" value={String(refusedCount)}>
          {say.leaveOut(format.count(refusedCount))}
        </button>
      ) : null}
      <LinkButton look="quiet" href={back} label={words.actions.back} />
    </p>
  );
}

function FoundInFile({ view }: { view: ImportPreviewView }) {
  const { members, membersMax, repeated, refused, refusedCount } = view;
  const { words, format } = useLocale();
  const say = words.imports;
  return (
    <Card title={say.found}>
      <Figures
        figures={[
          { label: say.members, value: format.number(members) },
          { label: say.repeated, value: format.number(repeated) },
          {
            label: say.wrongLines,
            value: format.number(refusedCount),
            ...(refusedCount > 0 && { tone: "bad" as const }),
          },
        ]}
      />
      {membersMax === null || members <= membersMax ? null : (
        <p class="ink-bad">{say.tooMany(format.number(membersMax))}</p>
      )}
      {refusedCount === 0 ? null : <p>{view.canLeaveOut ? say.stopsUnlessLeftOut : say.stops}</p>}
      <RefusedLines refused={refused} />
    </Card>
  );
}

export function RefusedLines({ refused }: { refused: readonly RefusedLine[] }) {
  const { words, format } = useLocale();
  if (refused.length === 0) return null;
  return (
    <ul class="refused">
      {refused.map(({ line, value, reason }) => (
        <li key={line}>
          <span class="muted">{words.imports.line(format.plain(line))}</span>
          <span class="refused-value">{value}</span>
          <span>{reason}</span>
        </li>
      ))}
    </ul>
  );
}

export interface ImportProgressView {
  done: number;
  total: number;
  refused: readonly RefusedLine[];
  refusedCount: number;
  refusedCsv: string;
}

export function ImportProgress({ view, isOver = false }: { view: ImportProgressView; isOver?: boolean }) {
  const { words, format } = useLocale();
  const [done, total, refused] = [view.done, view.total, view.refusedCount].map((one) => format.count(one));
  if (done === undefined || total === undefined || refused === undefined) return null;
  return (
    <Card title={words.imports.title}>
      <Progress done={done} total={total} label={words.imports.progress(done, total, refused)} />
      {isOver ? null : <p class="muted">{words.imports.leave}</p>}
      <RefusedLines refused={view.refused} />
      {view.refusedCount === 0 ? null : (
        <LinkButton icon="download" href={view.refusedCsv} label={words.imports.refusedCsv} />
      )}
    </Card>
  );
}

interface ImportRunProps {
  /** The path of its page. */
  href: string;
  progress: ImportProgressView;
  /** The result; null while it runs. */
  ended: ComponentChildren;
  back: { href: string; title: string };
}

/** Refreshes itself every second while the import runs. */
export function ImportRun({ href, progress, ended, back }: ImportRunProps) {
  const { words } = useLocale();
  const again = ended === null ? { "hx-get": href, "hx-trigger": "every 1s", "hx-swap": "outerHTML" } : {};
  return (
    <div class="stack" id="import" {...again}>
      <ImportProgress view={progress} isOver={ended !== null} />
      {ended === null ? (
        <p>
          <LinkButton href={href} label={words.imports.look} />
        </p>
      ) : (
        <Card>
          <p class="strong">{ended}</p>
          <p>
            <LinkButton look="primary" href={back.href} label={back.title} />
          </p>
        </Card>
      )}
    </div>
  );
}

/** `members`: in the new list, or new on a list of numbers. */
export type ImportEnd =
  | { kind: "done"; members: number; repeated: number; leftOut: number }
  | { kind: "wrong" }
  /** In the reader's language. */
  | { kind: "refused"; message: string };

interface ImportEndedProps {
  end: ImportEnd;
  done: (members: Count, repeated: Count) => string;
}

/** The result, in a sentence. */
export function ImportEnded({ end, done }: ImportEndedProps) {
  const { words, format } = useLocale();
  if (end.kind === "refused") return <span>{end.message}</span>;
  if (end.kind === "wrong") return <span>{words.imports.wrong}</span>;
  const said = done(format.count(end.members), format.count(end.repeated));
  return <span>{end.leftOut === 0 ? said : `${said} ${words.imports.leftOut(format.count(end.leftOut))}`}</span>;
}
