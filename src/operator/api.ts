/** The operator API: everything that an operator may do, for the socket and the console. Never on the public listener. */
import { Elysia } from "elysia";
import { accountRoutes } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { errorAnswer } from "./errors.ts";
import { groupRoutes } from "./groups.ts";
import { healthRoutes } from "./health.ts";
import { inboundRoutes } from "./inbound.ts";
import { keyRoutes } from "./keys.ts";
import { lineRoutes } from "./lines.ts";
import { messageRoutes } from "./messages.ts";
import { otpRoutes } from "./otp.ts";
import { patternRoutes } from "./patterns.ts";
import { routeRoutes } from "./routes.ts";
import { senderRoutes } from "./senders.ts";
import { statusRoutes } from "./status.ts";
import { webhookRoutes } from "./webhooks.ts";

/** What the command line's client is typed by. */
export type OperatorApi = ReturnType<typeof operatorApi>;

/** It authenticates nobody: whoever mounts it sees to that (the socket by its file mode, the console by its session). */
export function operatorApi(parts: OperatorDeps) {
  return new Elysia()
    .onError(({ code, error }) => errorAnswer(parts.log, code, error))
    .use(healthRoutes(parts))
    .use(statusRoutes(parts))
    .use(accountRoutes(parts))
    .use(keyRoutes(parts))
    .use(senderRoutes(parts))
    .use(routeRoutes(parts))
    .use(messageRoutes(parts))
    .use(lineRoutes(parts))
    .use(inboundRoutes(parts))
    .use(webhookRoutes(parts))
    .use(groupRoutes(parts))
    .use(patternRoutes(parts))
    .use(otpRoutes(parts));
}
