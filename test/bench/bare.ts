/** The control of the accepting rows: a bare Elysia endpoint that validates the same body and answers the same shape. */
import { Elysia, t } from "elysia";

const app = new Elysia()
  .post(
    "/v1/messages",
    ({ body, set }) => {
      set.status = 202;
      return {
        trackingCode: "01M7X67T1C9Z7X7A4SWWGZT814",
        status: "queued",
        encoding: "Persian",
        characterCount: body.message.length,
        partCount: 1,
        submittedAt: new Date().toISOString(),
        duplicate: false,
      };
    },
    {
      body: t.Object({
        sender: t.String({ minLength: 5, maxLength: 20 }),
        recipient: t.String({ maxLength: 20 }),
        message: t.String({ minLength: 1, maxLength: 2000 }),
        clientReference: t.Optional(t.Nullable(t.String({ maxLength: 120 }))),
      }),
    },
  )
  .listen({ hostname: "127.0.0.1", port: Number(process.argv[2] ?? 0) });

console.log(app.server?.port);
