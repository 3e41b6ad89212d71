/**
 * Imports the members of a group: the list is built separately, and becomes the group's draft as a whole or not at all.
 */

import { type ImportProblem, importProblemOf } from "../../domain/import-problem.ts";
import type { Member } from "../../domain/personalisation.ts";
import type { RecipientNumbers } from "../../domain/phone-number.ts";
import type { Store } from "../../store/store.ts";
import { everyList, type ListReaders } from "./list-readers.ts";
import { readMemberCsv } from "./member-csv.ts";
import { type FileReading, WrongLines } from "./wrong-lines.ts";

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
  /** Wrong lines that were left out. */
  leftOutCount: number;
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

export interface MemberFile extends FileReading {
  source: AsyncIterable<Uint8Array>;
}

/** One line's effect on the list. */
interface Placement {
  position: number;
  member: Member;
  /** The member already exists, and gains any missing names. */
  repeated: boolean;
}

/**
 * Reads the whole file. Returns null if it has more wrong lines than may be left out; by then every problem has been reported, and nothing
 * is kept. `adopt` runs in the transaction that completes the list.
 */
export async function importMembers(
  deps: ImportDeps,
  groupId: number,
  file: MemberFile,
  observer: ImportObserver,
  adopt: (list: ImportedList) => Promise<void>,
): Promise<ImportedList | null> {
  const { store, clock, readers } = deps;
  return readers.reading(everyList, async () => {
    const list = await store.write((tables) =>
      tables.groups.insertList({ groupId, memberCount: 0, createdAt: clock.now(), approvedAt: null, approvedBy: null }),
    );
    const imported = await fillList(deps, list.id, file, observer);
    if (imported !== null) await adopt(imported);
    return imported;
  });
}

async function fillList(
  { store, defaultRegion, numbers, membersMax }: ImportDeps,
  listId: number,
  { source, layout, leaveOutMax }: MemberFile,
  observer: ImportObserver,
): Promise<ImportedList | null> {
  const positions = new Map<string, number>();
  const lineOfPosition: number[] = [];
  let pending: Placement[] = [];
  let mergedCount = 0;
  let lines = 0;
  let ignoredHeaders: readonly string[] = [];
  const wrong = new WrongLines({ leaveOutMax }, observer);

  function place(line: number, member: Member): void {
    const known = positions.get(member.recipient);
    if (known !== undefined) {
      mergedCount += 1;
      observer.repeated(line, lineOfPosition[known] ?? 0, member.recipient);
    } else {
      positions.set(member.recipient, lineOfPosition.length);
      lineOfPosition.push(line);
    }
    if (!wrong.stopsImport)
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
    if (found.kind === "problem") wrong.add(found);
    else if (found.kind === "ignored") ignoredHeaders = found.headers;
    else if (positions.size >= membersMax && !positions.has(found.member.recipient)) {
      wrong.add({ line: found.line, problem: importProblemOf("too_many_members", { max: membersMax }), stops: true });
      break;
    } else place(found.line, found.member);
    if (lines % sliceMembers === 0 || pending.length >= sliceMembers) await writeSlice();
  }
  await writeSlice();
  if (!wrong.stopsImport && positions.size === 0) {
    wrong.add({ line: 1, problem: importProblemOf("no_members", {}), stops: true });
  }
  if (wrong.stopsImport) return null;
  return { listId, memberCount: positions.size, mergedCount, leftOutCount: wrong.count, ignoredHeaders };
}
