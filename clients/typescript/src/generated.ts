/** The types and operations of the public API. Made by `bun run clients` from openapi.json. Do not edit. */
import { type Call, type CallOptions, type KeyedCallOptions, segment } from "./call.ts";

export interface SendMessageRequest {
  /** An active sender of the account (see GET /v1/senders). */
  sender: string;
  /** Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164. */
  recipient: string;
  /** The text. One character is one Unicode code point. */
  message: string;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
}

export interface ScheduleMessageRequest {
  /** An active sender of the account (see GET /v1/senders). */
  sender: string;
  /** Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164. */
  recipient: string;
  /** The text. One character is one Unicode code point. */
  message: string;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
  /** When to send: ISO 8601 with an offset or Z, 30 seconds to 30 days ahead. */
  sendAt: string | Date;
}

export interface SendMessageBatchRequest {
  /** An active sender of the account (see GET /v1/senders). */
  sender: string;
  /** The messages; all of them are accepted or none. */
  messages: readonly BatchMessage[];
}

export interface BatchMessage {
  /** Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164. */
  recipient: string;
  /** The text. One character is one Unicode code point. */
  message: string;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
}

export interface GetMessageStatusesRequest {
  /** Codes of the account's messages; unknown ones are left out. */
  trackingCodes: readonly string[];
}

export interface SendToApprovedGroupRequest {
  /** An active sender of the account; null or left out for the default one. */
  sender?: string | null | undefined;
  /** The text for all members. It may use `{{firstName}}`, `{{lastName}}`, `{{fullName}}` and `{{mobile}}`; 2000 characters hold with the values in place, too. */
  message: string;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
}

export interface SendPatternMessageRequest {
  /** An active sender of the account; null or left out for the default one. */
  sender?: string | null | undefined;
  /** Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164. */
  recipient: string;
  /** A value for each of the pattern's variables, and for no other. */
  variables: Readonly<Record<string, string>>;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
}

export interface CreateOtpChallengeRequest {
  /** An active sender of the account; null or left out for the default one. */
  sender?: string | null | undefined;
  /** Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164. */
  recipient: string;
  /** A pattern whose only variable is `{{code}}`; without one the service's own text is sent. */
  patternCode?: string | null | undefined;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
  /** Digits of the code; 6 by default. */
  codeLength?: number | null | undefined;
  /** How long the code is valid; 300 by default. */
  ttlSeconds?: number | null | undefined;
}

export interface VerifyOtpChallengeRequest {
  /** The code as it was typed. Persian and Arabic digits are read, spaces and dashes ignored. */
  code: string;
}

export interface SendOtpCodeRequest {
  /** An active sender of the account; null or left out for the default one. */
  sender?: string | null | undefined;
  /** Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164. */
  recipient: string;
  /** A pattern whose only variable is `{{code}}`; without one the service's own text is sent. */
  patternCode?: string | null | undefined;
  /** Your own reference; it comes back with the message and its events. */
  clientReference?: string | null | undefined;
  /** Your code: 4 to 10 letters or digits. */
  code: string;
}

export interface CreateWebhookRequest {
  /** Public HTTPS address on port 443, without user info or fragment. Redirects are not followed. */
  url: string;
  /** The kinds of event to send; repeats merge. */
  events: readonly ("message.status" | "inbound.received")[];
}

export interface UpdateWebhookRequest {
  /** The kinds of event to send; repeats merge. */
  events?: readonly ("message.status" | "inbound.received")[] | null | undefined;
  /** False stops it at once and ends what waits for it. */
  isActive?: boolean | null | undefined;
}

/** Why a request was refused. */
export interface ErrorAnswer {
  /** A stable code. */
  code:
    | "malformed_json"
    | "validation_failed"
    | "idempotency_key_required"
    | "idempotency_key_invalid"
    | "unknown_variable"
    | "personalisation_unavailable"
    | "api_key_required"
    | "api_key_invalid"
    | "permission_denied"
    | "sender_not_permitted"
    | "account_suspended"
    | "quota_exceeded"
    | "balance_exhausted"
    | "not_found"
    | "message_not_found"
    | "group_not_found"
    | "pattern_not_found"
    | "webhook_not_found"
    | "otp_challenge_not_found"
    | "method_not_allowed"
    | "message_not_cancellable"
    | "group_not_sendable"
    | "pattern_not_sendable"
    | "idempotency_key_conflict"
    | "webhook_limit_reached"
    | "webhook_inactive"
    | "otp_challenge_expired"
    | "otp_challenge_locked"
    | "otp_challenge_used"
    | "request_timeout"
    | "payload_too_large"
    | "unsupported_media_type"
    | "rate_limit_exceeded"
    | "otp_rate_limited"
    | "internal_error"
    | "service_unavailable";
  /** The same in words. */
  message: string;
  /** The value of X-Correlation-Id. */
  correlationId: string;
  /** What is wrong with each field, query parameter or header; only with `validation_failed`. */
  errors?: readonly FieldError[] | undefined;
}

/** What is wrong with one field, parameter or header. */
export interface FieldError {
  /** The field's path; the name of a query parameter or header. */
  field: string;
  /** A stable code. */
  code:
    | "required"
    | "invalid_type"
    | "too_short"
    | "too_long"
    | "too_few"
    | "too_many"
    | "invalid_format"
    | "invalid_phone_number"
    | "out_of_range"
    | "duplicate"
    | "unknown";
  /** The same in words. */
  message: string;
}

/** What was accepted. */
export interface SendResult {
  /** The message's identifier for you. */
  trackingCode: string;
  /** The public status. */
  status: "queued";
  /** `Latin`: GSM 03.38. `Persian`: UCS-2 with Arabic script. `Unicode`: any other UCS-2. */
  encoding: "Latin" | "Persian" | "Unicode";
  /** Unicode code points of the text. Not a base for costs. */
  characterCount: number;
  /** Parts that the network will carry. */
  partCount: number;
  /** When the message was accepted. */
  submittedAt: string;
  /** True when this Idempotency-Key had been registered before and nothing new was created. */
  duplicate: boolean;
}

/** What was accepted, and when it will be sent. */
export interface ScheduledSendResult {
  /** The message's identifier for you. */
  trackingCode: string;
  /** The public status. */
  status: "queued";
  /** `Latin`: GSM 03.38. `Persian`: UCS-2 with Arabic script. `Unicode`: any other UCS-2. */
  encoding: "Latin" | "Persian" | "Unicode";
  /** Unicode code points of the text. Not a base for costs. */
  characterCount: number;
  /** Parts that the network will carry. */
  partCount: number;
  /** When the message was accepted. */
  submittedAt: string;
  /** True when this Idempotency-Key had been registered before and nothing new was created. */
  duplicate: boolean;
  /** When the message will be sent. */
  sendAt: string;
}

/** What was accepted, and its campaign. */
export interface CampaignSendResult {
  /** The message's identifier for you. */
  trackingCode: string;
  /** The public status. */
  status: "queued";
  /** `Latin`: GSM 03.38. `Persian`: UCS-2 with Arabic script. `Unicode`: any other UCS-2. */
  encoding: "Latin" | "Persian" | "Unicode";
  /** Unicode code points of the text. Not a base for costs. */
  characterCount: number;
  /** Parts that the network will carry. */
  partCount: number;
  /** When the message was accepted. */
  submittedAt: string;
  /** True when this Idempotency-Key had been registered before and nothing new was created. */
  duplicate: boolean;
  /** The name that its request had in `Peyk-Campaign`; left out where it had none. */
  campaign?: string | undefined;
}

/** A message with its public history. */
export interface MessageRecord {
  /** The message's identifier for you. */
  trackingCode: string;
  /** Your own reference. */
  clientReference: string | null;
  /** The sender. */
  sender: string;
  /** The recipient as E.164. */
  recipient: string;
  /** The text. */
  message: string;
  /** `Latin`: GSM 03.38. `Persian`: UCS-2 with Arabic script. `Unicode`: any other UCS-2. */
  encoding: "Latin" | "Persian" | "Unicode";
  /** Unicode code points of the text. Not a base for costs. */
  characterCount: number;
  /** Parts that the network will carry. */
  partCount: number;
  /** The public status. */
  status: "queued" | "processing" | "sent" | "delivered" | "failed" | "cancelled";
  /**  */
  error: MessageError | null;
  /** When the message was accepted. */
  submittedAt: string;
  /** When its status changed last. */
  updatedAt: string;
  /** When it was to be sent; null for at once. */
  sendAt: string | null;
  /** When it was handed over; null until then. */
  sentAt: string | null;
  /** When its delivery was confirmed; null until then. */
  deliveredAt: string | null;
  /** The public steps, oldest first. */
  history: readonly HistoryEntry[];
}

/** Why the message failed; null unless its status is failed. */
export interface MessageError {
  /** A stable code. */
  code:
    | "rejected_by_network"
    | "recipient_unreachable"
    | "recipient_invalid"
    | "expired"
    | "blocked"
    | "undeliverable"
    | "route_unavailable"
    | "internal";
  /** The same in words. */
  message: string;
}

/** One public step. */
export interface HistoryEntry {
  /** The public status. */
  status: "queued" | "processing" | "sent" | "delivered" | "failed" | "cancelled";
  /** The step in words. */
  note: string;
  /** When the step was taken. */
  changedAt: string;
}

/** A message in short. */
export interface StatusSummary {
  /** The message's identifier for you. */
  trackingCode: string;
  /** Your own reference. */
  clientReference: string | null;
  /** The sender. */
  sender: string;
  /** The recipient as E.164. */
  recipient: string;
  /** The public status. */
  status: "queued" | "processing" | "sent" | "delivered" | "failed" | "cancelled";
  /** Parts that the network will carry. */
  partCount: number;
  /** When the message was accepted. */
  submittedAt: string;
  /** When its status changed last. */
  updatedAt: string;
}

/** A cancelled message. */
export interface CancelResult {
  /** The message's identifier for you. */
  trackingCode: string;
  /** The public status. */
  status: "cancelled";
  /** When it was cancelled. */
  cancelledAt: string;
}

/** A sender of the account. */
export interface Sender {
  /** The sender. */
  sender: string;
  /** Whether it can be used for sending. */
  active: boolean;
}

/** A group that the account may send to. */
export interface ApprovedGroup {
  /** Stable; part of the path of a send. */
  code: string;
  /** The name to show. */
  name: string;
  /** Approved recipients. */
  recipientCount: number;
  /** When it was approved; null where that was not recorded. */
  approvedAt: string | null;
}

/** An approved text with variables. */
export interface Pattern {
  /** Stable; part of the path of a send. */
  code: string;
  /** The name to show. */
  name: string;
  /** The text, its variables in double braces. */
  text: string;
  /** The variables, in the order of their first use. */
  variables: readonly PatternVariable[];
  /** The sender unless the request names one; null for the account's default. */
  sender: string | null;
  /** False while it is suspended and cannot be used. */
  isActive: boolean;
  /** When it was approved; null where that was not recorded. */
  approvedAt: string | null;
}

/** One variable. */
export interface PatternVariable {
  /** Its name. */
  name: string;
  /** The most characters of its value. */
  maxLength: number;
}

/** A code that was sent to its recipient. */
export interface OtpChallenge {
  /** The challenge's id. */
  challengeId: string;
  /** The tracking code of the message that carries the code. */
  trackingCode: string;
  /** It waits for its code. */
  status: "pending";
  /** Until when the code is taken. */
  expiresAt: string;
  /** From when another code may be sent to this recipient. */
  resendAvailableAt: string;
  /** Attempts that it takes. */
  attemptsRemaining: number;
  /** True when the Idempotency-Key had been registered before. */
  duplicate: boolean;
}

/** The result of a verification. */
export interface OtpVerification {
  /** The challenge's id. */
  challengeId: string;
  /** Whether the code was right. */
  status: "verified" | "pending";
  /** When the right code came; null until then. */
  verifiedAt: string | null;
  /** Attempts that it still takes. */
  attemptsRemaining: number;
}

/** A page of received messages. */
export interface InboundMessagePage {
  /** The messages, the oldest first. */
  items: readonly InboundMessage[];
  /** Always there, also at the end: messages that come later are after it. */
  nextCursor: string;
  /** Whether there are messages behind this page already. */
  hasMore: boolean;
}

/** A received message. */
export interface InboundMessage {
  /** Identifier of the received message. */
  trackingCode: string;
  /** The number that it came from, E.164 where it is one; or a name. */
  sender: string;
  /** The account's number that it was sent to. */
  receiver: string;
  /** The text, long messages put together. Empty for binary content. */
  message: string;
  /** When it came; of a long message, its first part. */
  receivedAt: string;
}

/** A webhook, with its signing secret. */
export interface CreatedWebhook {
  /** The subscription's id. */
  id: string;
  /** Where its events are sent. */
  url: string;
  /** Its events. */
  events: readonly ("message.status" | "inbound.received")[];
  /** Whether events are sent to it. */
  isActive: boolean;
  /** When it was registered. */
  createdAtUtc: string;
  /** When it was changed last. */
  updatedAtUtc: string;
  /** The key of every signature. It is shown this once. */
  signingSecret: string;
}

/** A webhook. */
export interface Webhook {
  /** The subscription's id. */
  id: string;
  /** Where its events are sent. */
  url: string;
  /** Its events. */
  events: readonly ("message.status" | "inbound.received")[];
  /** Whether events are sent to it. */
  isActive: boolean;
  /** When it was registered. */
  createdAtUtc: string;
  /** When it was changed last. */
  updatedAtUtc: string;
}

/** A queued test event. */
export interface QueuedTestEvent {
  /** The event's id. */
  eventId: string;
  /** It waits in the callback queue. */
  status: "queued";
}

/** A message has a new public status. */
export interface MessageStatusEvent {
  /** The event's id, the same at every repeat. */
  id: string;
  /** The kind of event. */
  type: "message.status";
  /** When it happened. */
  createdAt: string;
  /**  */
  data: MessageStatusChange;
}

/** The message as it is by now. */
export interface MessageStatusChange {
  /** The message. */
  trackingCode: string;
  /** Your own reference. */
  clientReference: string | null;
  /** The sender. */
  sender: string;
  /** The recipient as E.164. */
  recipient: string;
  /** The new status. */
  status: "queued" | "processing" | "sent" | "delivered" | "failed" | "cancelled";
  /** When the status changed. Compare it: events may come out of order. */
  changedAt: string;
}

/** A message was received for the account. */
export interface InboundReceivedEvent {
  /** The event's id, the same at every repeat. */
  id: string;
  /** The kind of event. */
  type: "inbound.received";
  /** When it happened. */
  createdAt: string;
  /**  */
  data: ReceivedMessage;
}

/** The received message. */
export interface ReceivedMessage {
  /** Identifier of the received message. */
  trackingCode: string;
  /** Who sent it. */
  sender: string;
  /** The account's line. */
  receiver: string;
  /** Its text. */
  message: string;
  /** When it arrived. */
  receivedAt: string;
}

/** The answer to POST /v1/webhooks/{id}/test. */
export interface WebhookTestEvent {
  /** The event's id, the same at every repeat. */
  id: string;
  /** The kind of event. */
  type: "webhook.test";
  /** When it happened. */
  createdAt: string;
  /**  */
  data: WebhookTest;
}

/** What was tested. */
export interface WebhookTest {
  /** The webhook. */
  webhookId: string;
  /** Words. */
  message: string;
}

export interface ListInboundMessagesQuery {
  /** The `nextCursor` of an earlier page. Without it, the oldest messages come first. */
  after?: string | undefined;
  /** The most messages that a page may hold. */
  limit?: number | undefined;
  /** Only messages to this number, in any common spelling. */
  receiver?: string | undefined;
  /** Only messages from this number, in any common spelling, or from this name. */
  sender?: string | undefined;
  /** Only messages received at or after this time. */
  from?: string | Date | undefined;
  /** Only messages received before this time. */
  to?: string | Date | undefined;
}

/** Every operation of the API. */
export abstract class Operations {
  protected abstract call<Answer>(call: Call, options?: KeyedCallOptions): Promise<Answer>;

  /** Send one message. */
  sendMessage(body: SendMessageRequest, options?: KeyedCallOptions): Promise<SendResult> {
    return this.call({ method: "POST", path: `/v1/messages`, isKeyed: true, body }, options);
  }

  /** Send one message later. */
  scheduleMessage(body: ScheduleMessageRequest, options?: KeyedCallOptions): Promise<ScheduledSendResult> {
    return this.call({ method: "POST", path: `/v1/messages/scheduled`, isKeyed: true, body }, options);
  }

  /** Send several different messages. */
  sendMessageBatch(body: SendMessageBatchRequest, options?: KeyedCallOptions): Promise<CampaignSendResult[]> {
    return this.call({ method: "POST", path: `/v1/messages/batch`, isKeyed: true, body }, options);
  }

  /** Track one message. */
  getMessage(trackingCode: string, options?: CallOptions): Promise<MessageRecord> {
    return this.call({ method: "GET", path: `/v1/messages/${segment(trackingCode)}` }, options);
  }

  /** Status of several messages. */
  getMessageStatuses(body: GetMessageStatusesRequest, options?: CallOptions): Promise<StatusSummary[]> {
    return this.call({ method: "POST", path: `/v1/messages/status`, body }, options);
  }

  /** Cancel a queued message. */
  cancelMessage(trackingCode: string, options?: CallOptions): Promise<CancelResult> {
    return this.call({ method: "POST", path: `/v1/messages/${segment(trackingCode)}/cancel` }, options);
  }

  /** Senders of the account. */
  listSenders(options?: CallOptions): Promise<Sender[]> {
    return this.call({ method: "GET", path: `/v1/senders` }, options);
  }

  /** Groups that the account may send to. */
  listApprovedGroups(options?: CallOptions): Promise<ApprovedGroup[]> {
    return this.call({ method: "GET", path: `/v1/approved-groups` }, options);
  }

  /** Send to an approved group. */
  sendToApprovedGroup(
    groupCode: string,
    body: SendToApprovedGroupRequest,
    options?: KeyedCallOptions,
  ): Promise<CampaignSendResult[]> {
    return this.call(
      { method: "POST", path: `/v1/approved-groups/${segment(groupCode)}/messages`, isKeyed: true, body },
      options,
    );
  }

  /** Patterns of the account. */
  listPatterns(options?: CallOptions): Promise<Pattern[]> {
    return this.call({ method: "GET", path: `/v1/patterns` }, options);
  }

  /** Send by a pattern. */
  sendPatternMessage(
    patternCode: string,
    body: SendPatternMessageRequest,
    options?: KeyedCallOptions,
  ): Promise<SendResult> {
    return this.call(
      { method: "POST", path: `/v1/patterns/${segment(patternCode)}/messages`, isKeyed: true, body },
      options,
    );
  }

  /** Send a code and remember its hash. */
  createOtpChallenge(body: CreateOtpChallengeRequest, options?: KeyedCallOptions): Promise<OtpChallenge> {
    return this.call({ method: "POST", path: `/v1/otp/challenges`, isKeyed: true, body }, options);
  }

  /** Verify a code. */
  verifyOtpChallenge(
    challengeId: string,
    body: VerifyOtpChallengeRequest,
    options?: CallOptions,
  ): Promise<OtpVerification> {
    return this.call(
      { method: "POST", path: `/v1/otp/challenges/${segment(challengeId)}/verify`, isRepeatable: false, body },
      options,
    );
  }

  /** Send a code of your own. */
  sendOtpCode(body: SendOtpCodeRequest, options?: KeyedCallOptions): Promise<SendResult> {
    return this.call({ method: "POST", path: `/v1/otp/codes`, isKeyed: true, body }, options);
  }

  /** Received messages. */
  listInboundMessages(query: ListInboundMessagesQuery = {}, options?: CallOptions): Promise<InboundMessagePage> {
    return this.call({ method: "GET", path: `/v1/inbound-messages`, query: { ...query } }, options);
  }

  /** Register a webhook. */
  createWebhook(body: CreateWebhookRequest, options?: CallOptions): Promise<CreatedWebhook> {
    return this.call({ method: "POST", path: `/v1/webhooks/`, isRepeatable: false, body }, options);
  }

  /** Webhooks of the account. */
  listWebhooks(options?: CallOptions): Promise<Webhook[]> {
    return this.call({ method: "GET", path: `/v1/webhooks/` }, options);
  }

  /** Change a webhook. */
  updateWebhook(id: string, body: UpdateWebhookRequest = {}, options?: CallOptions): Promise<Webhook> {
    return this.call({ method: "PATCH", path: `/v1/webhooks/${segment(id)}`, body }, options);
  }

  /** Remove a webhook. */
  deleteWebhook(id: string, options?: CallOptions): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/webhooks/${segment(id)}` }, options);
  }

  /** Send a test event. */
  testWebhook(id: string, options?: CallOptions): Promise<QueuedTestEvent> {
    return this.call({ method: "POST", path: `/v1/webhooks/${segment(id)}/test`, isRepeatable: false }, options);
  }
}
