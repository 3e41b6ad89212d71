/**
 * Imports the members of a group: the list is built separately, and becomes the group's draft as a whole or not at all.
 */

import type { ImportProblem } from "../../domain/import-problem.ts";
import type { Member } from "../../domain/personalisation.ts";
import type { RecipientNumbers } from "../../domain/phone-number.ts";
import type { Store } from "../../store/store.ts";
import { importProblemOf } from "../../words/en/import-problem.ts";
import { everyList, type ListReaders } from "./list-readers.ts";
import { type CsvLayout, readMemberCsv } from "./member-csv.ts";

/** Called during an import. Lines count from 1. */
export interface ImportObserver {
  progress(lines: number, members: number): void;
  problem(line: number, problem: ImportProblem): void;
  /** The number was already on an earlier line: both are the same member. */
  repeated(line: number, firstLine: number, recipient: string): void;
}

export interface ImportedList {
  listId: number;
  memberCount: number;
  /** Lines that were merged into earlier ones. */
  mergedCount: number;
  /** Headers of columns that Peyk does not use. */
  ignoredHeaders: readonly string[];
}

/** Members per transaction: about 2 ms, plus 3 to parse as many numbers. */
const sliceMembers = 500;

export interface ImportDeps {
  store: Store;
  clock: { now(): number };
  readers: ListReaders;
  defaultRegion: string;
  numbers: RecipientNumbers;
  membersMax: number;
}

export interface MemberFile {
  source: AsyncIterable<Uint8Array>;
  /** Null: the file's header names the columns. */
  layout: CsvLayout | null;
}

/** One line's effect on the list. */
interface Placement {
  position: number;
  member: Member;
  /** The member already exists, and gains any missing names. */
  repeated: boolean;
}

/**
 * Reads the whole file. Returns null if anything in it is wrong; by then every problem has been reported, and nothing
 * is kept. `adopt` runs in the transaction that completes the list.
 */
export async function importMembers(
  deps: ImportDeps,
  groupId: number,
  { source, layout }: MemberFile,
  observer: ImportObserver,
  adopt: (list: ImportedList) => Promise<void>,
): Promise<ImportedList | null> {
  const { store, clock, readers } = deps;
  return readers.reading(everyList, async () => {
    const list = await store.write((tables) =>
      tables.groups.insertList({ groupId, memberCount: 0, createdAt: clock.now(), approvedAt: null, approvedBy: null }),
    );
    const imported = await fillList(deps, list.id, { source, layout }, observer);
    if (imported !== null) await adopt(imported);
    return imported;
  });
}

async function fillList(
  { store, defaultRegion, numbers, membersMax }: ImportDeps,
  listId: number,
  { source, layout }: MemberFile,
  observer: ImportObserver,
): Promise<ImportedList | null> {
  const positions = new Map<string, number>();
  const lineOfPosition: number[] = [];
  let pending: Placement[] = [];
  let problems = 0;
  let mergedCount = 0;
  let lines = 0;
  let ignoredHeaders: readonly string[] = [];
  const complain = (line: number, problem: ImportProblem) => {
    problems += 1;
    observer.problem(line, problem);
  };

  function place(line: number, member: Member): void {
    const known = positions.get(member.recipient);
    if (known !== undefined) {
      mergedCount += 1;
      observer.repeated(line, lineOfPosition[known] ?? 0, member.recipient);
    } else {
      positions.set(member.recipient, lineOfPosition.length);
      lineOfPosition.push(line);
    }
    // After the first problem nothing of this file will be kept; the rest is only checked for problems.
    if (problems === 0)
      pending.push({ position: known ?? lineOfPosition.length - 1, member, repeated: known !== undefined });
  }

  async function writeSlice(): Promise<void> {
    const slice = pending;
    pending = [];
    await store.write((tables) => {
      for (const { position, member, repeated } of slice) {
        if (repeated) tables.groupMembers.fill(listId, position, member);
        else tables.groupMembers.insert(listId, position, member);
      }
    });
    observer.progress(lines, positions.size);
  }

  for await (const found of readMemberCsv(source, defaultRegion, numbers, layout)) {
    lines = Math.max(lines, found.line);
    if (found.kind === "problem") complain(found.line, found.problem);
    else if (found.kind === "ignored") ignoredHeaders = found.headers;
    else if (positions.size >= membersMax && !positions.has(found.member.recipient)) {
      complain(found.line, importProblemOf("too_many_members", { max: membersMax }));
      break;
    } else place(found.line, found.member);
    if (lines % sliceMembers === 0 || pending.length >= sliceMembers) await writeSlice();
  }
  await writeSlice();
  if (problems === 0 && positions.size === 0) complain(1, importProblemOf("no_members", {}));
  return problems > 0 ? null : { listId, memberCount: positions.size, mergedCount, ignoredHeaders };
}
