/**
 * Commands declared as data. A noun lists its verbs in the help's order; `calls` makes one that asks the service once and
 * prints its answer, `lists` one that prints a list, whole or in pages. What does more is a function that makes its
 * command with `verb`.
 */
import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { PartOfList } from "../domain/list-part.ts";
import { between, type Field, type FieldTable, type ValuesOf } from "../fields/field.ts";
import type { OperatorClient } from "../operator/client.ts";
import { UsageError } from "./errors.ts";
import { type NewValues, saidChange, saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { joinLines } from "./text.ts";
import { connect, print, type VerbWords, verb } from "./verb.ts";

/** Makes a command, with the name that it has in its noun. */
export type Verb = (io: CliIo, name: string) => CommandUnknownOpts;

/** A noun and its verbs: `peyk account …`. */
export const noun = (name: string, does: string, verbs: Readonly<Record<string, Verb>>) => (io: CliIo) => {
  const command = new Command(name).description(does);
  for (const [verbName, made] of Object.entries(verbs)) command.addCommand(made(io, verbName));
  return command;
};

// Options that only commands have; those of what is stored are in src/fields.
export const typed = (option: string, help: string) => ({ kind: "prose", label: "", option, help }) as const;
export const flag = (option: string, help: string) => ({ kind: "truth", label: "", option, help }) as const;
/** "date" in its help becomes all that a time may be written as. */
export const time = (option: string, help: string) => ({ kind: "time", label: "", option, help }) as const;
export const whole = (option: string, help: string, min: number, max: number) =>
  ({ ...between(min, max), label: "", option, help }) as const;
export const wordOf = <const Word extends string>(option: string, words: readonly Word[], help = words.join(", ")) =>
  ({ kind: "choice", words, label: "", option, help }) as const;
/** May be repeated, or a list by commas. */
export const several = (option: string, help: string) =>
  ({ kind: "list", max: Number.MAX_SAFE_INTEGER, empty: "", label: "", option, help }) as const;
/** It has to be given. */
export const must = <const One extends Field>(field: One) => ({ ...field, isRequired: true }) as const;
/** What it is unless it is given. */
export const preset = <const One extends Field>(field: One, value: string) => ({ ...field, preset: value }) as const;

export const ofOneAccount = { account: typed("account <id>", "only this account's") };

type Words = Readonly<Record<string, string>>;
type Given<Of extends Words, May extends Words, Options extends FieldTable, Changes extends FieldTable> = {
  [Name in keyof Of]: string;
} & { [Name in keyof May]?: string } & NewValues<Options> &
  Partial<ValuesOf<Changes>>;
type None = Record<never, never>;

interface Calling<Answer, Of extends Words, May extends Words, Options extends FieldTable, Changes extends FieldTable>
  extends VerbWords {
  /** Its arguments, in their order, and what each is. */
  of?: Of;
  /** Those that may be left out. */
  mayTake?: May;
  options?: Options;
  /** Options of which at least one has to be given. */
  changes?: Changes;
  call(api: OperatorClient, given: Given<Of, May, Options, Changes>, io: CliIo): Promise<Answer>;
  /** The answer for people. */
  text(answer: NoInfer<Answer>, given: Given<Of, May, Options, Changes>, io: CliIo): string;
  /** @throws CommandFailed if the answer, which is printed, says that something does not work */
  check?(answer: NoInfer<Answer>): void;
}

export const calls =
  <
    const Answer,
    const Of extends Words = None,
    const May extends Words = None,
    const Options extends FieldTable = None,
    const Changes extends FieldTable = None,
  >(
    declared: Calling<Answer, Of, May, Options, Changes>,
  ): Verb =>
  (io, name) => {
    const { options, changes } = declared;
    const of = Object.entries<string>(declared.of ?? {});
    const mayTake = Object.entries<string>(declared.mayTake ?? {});
    const command = verb(name, declared);
    for (const [argument, words] of of) command.argument(`<${argument}>`, words);
    for (const [argument, words] of mayTake) command.argument(`[${argument}]`, words);
    withFields(withNewFields(command, options), changes);
    return command.action(async () => {
      const said = command.opts();
      const given: Given<Of, May, Options, Changes> = Object.fromEntries([
        ...[...of, ...mayTake].map(([argument], at) => [argument, command.args[at]]),
        ...Object.entries(saidNewFields(options, said)),
        ...Object.entries(changes === undefined ? {} : saidChange(changes, said)),
      ]);
      if (said.json === true && Reflect.get(given, "csv") === true)
        throw new UsageError("Say --csv or --json, not both.");
      const answer = await declared.call(connect(io, said), given, io);
      print(io, said, answer, (one) => declared.text(one, given, io));
      declared.check?.(answer);
    });
  };

/** The same for a command that is in no noun. */
export const command =
  (name: string, made: Verb) =>
  (io: CliIo): CommandUnknownOpts =>
    made(io, name);

/** The options for a page of a list; without any of them it is whole. */
export const rangeOptions = {
  query: typed("query <text>", "a part: those with this text, in any letter case"),
  limit: whole("limit <n>", "a part: at most this many, 1 to 500 (50)", 1, 500),
  offset: whole("offset <n>", "a part: without this many at the beginning", 0, Number.MAX_SAFE_INTEGER),
};

type Part<Row> = Pick<PartOfList<Row>, "rows" | "offset" | "found" | "total">;

interface Listing<Options extends FieldTable, Row> extends VerbWords {
  options?: Options;
  part(api: OperatorClient, query: NewValues<Options> & Partial<ValuesOf<typeof rangeOptions>>): Promise<Part<Row>>;
  /** A row of the whole list as JSON, where it has fewer fields than a row of a page. */
  whole?(row: NoInfer<Row>): unknown;
  table(rows: readonly NoInfer<Row>[]): string;
}

/** With any of the options, the JSON is an object: the page's rows, its offset, the number found and the total. */
export const lists =
  <Row, const Options extends FieldTable = None>({
    options,
    part,
    whole = (row) => row,
    table,
    ...words
  }: Listing<Options, Row>): Verb =>
  (io, name) => {
    const command = verb(name, words);
    withNewFields(withFields(command, rangeOptions), options);
    return command.action(async () => {
      const said = command.opts();
      const range = saidFields(rangeOptions, said);
      const found = await part(connect(io, said), { ...saidNewFields(options, said), ...range });
      if (Object.keys(range).length > 0) return print(io, said, found, () => listedText(found, table));
      return print(
        io,
        said,
        found.rows.map((row) => whole(row)),
        () => table(found.rows),
      );
    });
  };

/** A row of a whole list, which names an account by its id alone. */
export const withoutAccountName = <Row extends { accountName: unknown }>({ accountName: _, ...row }: Row) => row;

/** The page's table, and how to continue. */
export function listedText<Row>(part: Part<Row>, table: (rows: readonly Row[]) => string): string {
  const { rows, offset, found, total } = part;
  if (rows.length === 0) return joinLines([`Nothing was found among ${total}.`]);
  const last = offset + rows.length;
  const more = last === found ? "" : ` Go on: --offset ${last}`;
  return table(rows) + joinLines(["", `${offset + 1} to ${last} of ${found}.${more}`]);
}
