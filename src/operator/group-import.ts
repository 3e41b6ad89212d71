/** The answer to an import: a stream of lines that says how far it is, what is wrong, and at last what became of it. */
import type { CodeReference } from "../messaging/code-reference.ts";
import type { GroupService } from "../messaging/groups/group-service.ts";
import type { Logger } from "../platform/log.ts";
import { refusalFor } from "./errors.ts";

/** What an import says, one JSON object a line; the last one is `done`, `wrong` or `refused`. */
export type ImportLine =
  | { kind: "progress"; lines: number; members: number }
  | { kind: "problem"; line: number; message: string }
  /** The number stood in an earlier line; the two are one member. */
  | { kind: "repeated"; line: number; firstLine: number; recipient: string }
  | { kind: "done"; members: number; merged: number; ignoredColumns: readonly string[] }
  /** So many problems were told; nothing has changed. */
  | { kind: "wrong"; problems: number }
  | { kind: "refused"; code: string; message: string };

const pieceBytes = 64 * 1024;

/** The file in pieces, so that other work comes in between. */
async function* pieces(file: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.length; start += pieceBytes) yield file.subarray(start, start + pieceBytes);
}

/** Imports the file and tells of it; a client that goes away is told nothing more, and the import goes on. */
export function importAnswer(groups: GroupService, log: Logger, reference: CodeReference, file: Uint8Array): Response {
  const encoder = new TextEncoder();
  let gone = false;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (line: ImportLine) => {
        if (!gone) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      tell(await importTelling(groups, log, reference, file, tell));
      if (!gone) controller.close();
    },
    cancel() {
      gone = true;
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/x-ndjson" } });
}

async function importTelling(
  groups: GroupService,
  log: Logger,
  reference: CodeReference,
  file: Uint8Array,
  tell: (line: ImportLine) => void,
): Promise<ImportLine> {
  let problems = 0;
  try {
    const imported = await groups.import(reference, pieces(file), {
      progress: (lines, members) => tell({ kind: "progress", lines, members }),
      repeated: (line, firstLine, recipient) => tell({ kind: "repeated", line, firstLine, recipient }),
      problem(line, message) {
        problems += 1;
        tell({ kind: "problem", line, message });
      },
    });
    if (imported === null) return { kind: "wrong", problems };
    const { memberCount, mergedCount, ignoredHeaders } = imported;
    return { kind: "done", members: memberCount, merged: mergedCount, ignoredColumns: ignoredHeaders };
  } catch (reason) {
    const { code, message } = refusalFor(log, "UNKNOWN", reason);
    return { kind: "refused", code, message };
  }
}
