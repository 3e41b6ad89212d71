/** Client of Peyk's public API. */
export type { CallOptions, KeyedCallOptions, Transport, TransportRequest, TransportResponse } from "./call.ts";
export { Peyk, type PeykOptions } from "./client.ts";
export { type ErrorCode, PeykApiError, PeykConnectionError, PeykError, PeykSignatureError } from "./errors.ts";
export { type FakeMessage, FakePeyk } from "./fake.ts";
export type * from "./generated.ts";
export { type Callback, isAuthentic, signWebhook, verifyWebhook, type WebhookEvent } from "./webhook.ts";
