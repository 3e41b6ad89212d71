/** A thread that parses large bodies, so that they do not block the service's event loop. */
import { parentPort } from "node:worker_threads";
import { type LargeBodyTask, replyTo } from "./large-body-task.ts";

parentPort?.on("message", (task: LargeBodyTask) => parentPort?.postMessage(replyTo(task)));
