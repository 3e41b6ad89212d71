/** Telegram Gateway: codes as messages of Telegram's own, to numbers that have it. */
import { type CarrierPreset, callbackKeys, isCalled, readBaseUrl } from "./preset.ts";

const json = (path: string) => ({ json: path });
const error = (...values: string[]) => ({ json: { path: "error", equals: values } });
const accepted = { json: { path: "ok", equals: true } };

/** All others are still in progress. */
const reportsAt = (path: string) => ({
  id: json(`${path}request_id`),
  state: json(`${path}delivery_status.status`),
  delivered: ["delivered", "read"],
  failed: { expired: "expired", revoked: "undeliverable" },
});

/** It takes codes of 4 to 8 digits. */
export const telegram: CarrierPreset = {
  title: "Telegram Gateway, a channel for codes",
  source: "core.telegram.org/gateway/api: sendVerificationMessage, checkVerificationStatus, report delivery",
  needs: { token: "the API token of gateway.telegram.org" },
  example: { preset: "telegram", tokenFile: "telegram.token", ...callbackKeys("telegram") },
  template(reader) {
    const api = readBaseUrl(reader, "https://gatewayapi.telegram.org");
    const headers = { Authorization: "Bearer {{token}}" };
    const sender = reader.text("senderUsername", "", { lengthMax: 32 });
    const message = {
      ...{ phone_number: "{{recipient}}", code: "{{code}}", payload: "{{trackingCode}}" },
      ...(sender !== "" && { sender_username: sender }),
      ...(isCalled(reader) && { callback_url: "{{receiptUrl}}" }),
    };
    const question = (id: string) => ({
      ...{ url: `${api}/checkVerificationStatus`, headers, body: { json: { request_id: id } } },
    });
    return {
      request: { url: `${api}/sendVerificationMessage`, headers, body: { json: message } },
      answer: {
        unauthorised: [{ status: 401 }, error("ACCESS_TOKEN_INVALID", "ACCESS_TOKEN_REQUIRED")],
        throttled: [{ status: 429 }, { body: '"FLOOD_WAIT_' }],
        temporary: { status: "5xx" },
        // BALANCE_NOT_ENOUGH is left out: the route rests until there is some.
        recipientInvalid: error("PHONE_NUMBER_INVALID", "PHONE_NUMBER_NOT_FOUND", "PHONE_NUMBER_NOT_AVAILABLE"),
        rejected: error("CODE_INVALID", "CODE_LENGTH_INVALID"),
        accepted,
        id: json("result.request_id"),
      },
      ...(!isCalled(reader) && {
        reportPoll: { request: question("{{id}}"), accepted, everySeconds: 5, hours: 1, ...reportsAt("result.") },
      }),
      receipts: reportsAt(""),
      caller: {
        signature: {
          ...{ header: "X-Request-Signature", separator: "\n", key: "token", keyHash: "sha256" },
          over: [{ header: "X-Request-Timestamp" }, "body"],
        },
      },
      // Nothing has this id: a good token is told so.
      probe: { request: question("0"), accepted: error("REQUEST_ID_INVALID") },
    };
  },
};
