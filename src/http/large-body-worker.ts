/** A thread that parses large bodies, so that they do not block the service's event loop. */
import { parentPort } from "node:worker_threads";
import { ApiError } from "../domain/api-error.ts";
import { reduceBody } from "./large-body.ts";
import type { LargeBodyReply, LargeBodyTask } from "./large-body-parser.ts";

function replyTo({ id, bytes, schema }: LargeBodyTask): LargeBodyReply {
  try {
    return { id, reduced: reduceBody(bytes, schema) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, problems } = error;
    return { id, refused: { code, message, problems } };
  }
}

parentPort?.on("message", (task: LargeBodyTask) => parentPort?.postMessage(replyTo(task)));
