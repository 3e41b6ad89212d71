<?php

declare(strict_types=1);

namespace Peyk\Client;

use DateTimeInterface;
use Peyk\Client\Model\ApprovedGroup;
use Peyk\Client\Model\BatchMessage;
use Peyk\Client\Model\CampaignSendResult;
use Peyk\Client\Model\CancelResult;
use Peyk\Client\Model\CreatedWebhook;
use Peyk\Client\Model\InboundMessage;
use Peyk\Client\Model\InboundMessagePage;
use Peyk\Client\Model\MessageRecord;
use Peyk\Client\Model\OtpChallenge;
use Peyk\Client\Model\OtpVerification;
use Peyk\Client\Model\Pattern;
use Peyk\Client\Model\QueuedTestEvent;
use Peyk\Client\Model\ScheduledSendResult;
use Peyk\Client\Model\SendResult;
use Peyk\Client\Model\Sender;
use Peyk\Client\Model\StatusSummary;
use Peyk\Client\Model\Webhook;

/** Every operation of the API. Made by `bun run clients` from openapi.json. Do not edit. */
abstract class Operations
{
    /**
     * @param array<string, mixed>|null $body
     * @param array<string, mixed> $query
     * @return array<mixed>
     */
    abstract protected function call(
        string $method,
        string $path,
        ?string $correlationId,
        ?string $key = null,
        bool $isRepeatable = true,
        ?array $body = null,
        array $query = [],
    ): array;

    abstract protected static function newKey(): string;

    /** A value as a part of a path. */
    abstract protected static function segment(string $value): string;

    /** Send one message. */
    public function sendMessage(
        string $sender,
        string $recipient,
        string $message,
        ?string $clientReference = null,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): SendResult {
        return SendResult::from($this->call(
            'POST',
            '/v1/messages',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: [
                'sender' => $sender,
                'recipient' => $recipient,
                'message' => $message,
                'clientReference' => $clientReference,
            ],
        ));
    }

    /** Send one message later. */
    public function scheduleMessage(
        string $sender,
        string $recipient,
        string $message,
        DateTimeInterface|string $sendAt,
        ?string $clientReference = null,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): ScheduledSendResult {
        return ScheduledSendResult::from($this->call(
            'POST',
            '/v1/messages/scheduled',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: [
                'sender' => $sender,
                'recipient' => $recipient,
                'message' => $message,
                'sendAt' => $sendAt,
                'clientReference' => $clientReference,
            ],
        ));
    }

    /**
     * Send several different messages.
     * @param list<BatchMessage> $messages
     * @return list<CampaignSendResult>
     */
    public function sendMessageBatch(
        string $sender,
        array $messages,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): array {
        return array_map(CampaignSendResult::from(...), $this->call(
            'POST',
            '/v1/messages/batch',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: ['sender' => $sender, 'messages' => $messages],
        ));
    }

    /** Track one message. */
    public function getMessage(
        string $trackingCode,
        ?string $correlationId = null,
    ): MessageRecord {
        return MessageRecord::from($this->call(
            'GET',
            '/v1/messages/' . static::segment($trackingCode),
            $correlationId,
        ));
    }

    /**
     * Status of several messages.
     * @param list<string> $trackingCodes
     * @return list<StatusSummary>
     */
    public function getMessageStatuses(
        array $trackingCodes,
        ?string $correlationId = null,
    ): array {
        return array_map(StatusSummary::from(...), $this->call(
            'POST',
            '/v1/messages/status',
            $correlationId,
            body: ['trackingCodes' => $trackingCodes],
        ));
    }

    /** Cancel a queued message. */
    public function cancelMessage(
        string $trackingCode,
        ?string $correlationId = null,
    ): CancelResult {
        return CancelResult::from($this->call(
            'POST',
            '/v1/messages/' . static::segment($trackingCode) . '/cancel',
            $correlationId,
        ));
    }

    /**
     * Senders of the account.
     * @return list<Sender>
     */
    public function listSenders(
        ?string $correlationId = null,
    ): array {
        return array_map(Sender::from(...), $this->call(
            'GET',
            '/v1/senders',
            $correlationId,
        ));
    }

    /**
     * Groups that the account may send to.
     * @return list<ApprovedGroup>
     */
    public function listApprovedGroups(
        ?string $correlationId = null,
    ): array {
        return array_map(ApprovedGroup::from(...), $this->call(
            'GET',
            '/v1/approved-groups',
            $correlationId,
        ));
    }

    /**
     * Send to an approved group.
     * @return list<CampaignSendResult>
     */
    public function sendToApprovedGroup(
        string $groupCode,
        string $message,
        ?string $sender = null,
        ?string $clientReference = null,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): array {
        return array_map(CampaignSendResult::from(...), $this->call(
            'POST',
            '/v1/approved-groups/' . static::segment($groupCode) . '/messages',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: ['message' => $message, 'sender' => $sender, 'clientReference' => $clientReference],
        ));
    }

    /**
     * Patterns of the account.
     * @return list<Pattern>
     */
    public function listPatterns(
        ?string $correlationId = null,
    ): array {
        return array_map(Pattern::from(...), $this->call(
            'GET',
            '/v1/patterns',
            $correlationId,
        ));
    }

    /**
     * Send by a pattern.
     * @param array<string, string> $variables
     */
    public function sendPatternMessage(
        string $patternCode,
        string $recipient,
        array $variables,
        ?string $sender = null,
        ?string $clientReference = null,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): SendResult {
        return SendResult::from($this->call(
            'POST',
            '/v1/patterns/' . static::segment($patternCode) . '/messages',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: [
                'recipient' => $recipient,
                'variables' => (object) $variables,
                'sender' => $sender,
                'clientReference' => $clientReference,
            ],
        ));
    }

    /** Send a code and remember its hash. */
    public function createOtpChallenge(
        string $recipient,
        ?string $sender = null,
        ?string $patternCode = null,
        ?string $clientReference = null,
        ?int $codeLength = null,
        ?int $ttlSeconds = null,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): OtpChallenge {
        return OtpChallenge::from($this->call(
            'POST',
            '/v1/otp/challenges',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: [
                'recipient' => $recipient,
                'sender' => $sender,
                'patternCode' => $patternCode,
                'clientReference' => $clientReference,
                'codeLength' => $codeLength,
                'ttlSeconds' => $ttlSeconds,
            ],
        ));
    }

    /** Verify a code. */
    public function verifyOtpChallenge(
        string $challengeId,
        string $code,
        ?string $correlationId = null,
    ): OtpVerification {
        return OtpVerification::from($this->call(
            'POST',
            '/v1/otp/challenges/' . static::segment($challengeId) . '/verify',
            $correlationId,
            isRepeatable: false,
            body: ['code' => $code],
        ));
    }

    /** Send a code of your own. */
    public function sendOtpCode(
        string $recipient,
        string $code,
        ?string $sender = null,
        ?string $patternCode = null,
        ?string $clientReference = null,
        ?string $idempotencyKey = null,
        ?string $correlationId = null,
    ): SendResult {
        return SendResult::from($this->call(
            'POST',
            '/v1/otp/codes',
            $correlationId,
            key: $idempotencyKey ?? static::newKey(),
            body: [
                'recipient' => $recipient,
                'code' => $code,
                'sender' => $sender,
                'patternCode' => $patternCode,
                'clientReference' => $clientReference,
            ],
        ));
    }

    /** Received messages. */
    public function listInboundMessages(
        ?string $after = null,
        ?int $limit = null,
        ?string $receiver = null,
        ?string $sender = null,
        DateTimeInterface|string|null $from = null,
        DateTimeInterface|string|null $to = null,
        ?string $correlationId = null,
    ): InboundMessagePage {
        return InboundMessagePage::from($this->call(
            'GET',
            '/v1/inbound-messages',
            $correlationId,
            query: [
                'after' => $after,
                'limit' => $limit,
                'receiver' => $receiver,
                'sender' => $sender,
                'from' => $from,
                'to' => $to,
            ],
        ));
    }

    /**
     * Received messages, page by page. Store `nextCursor` once a page is dealt with, and go on after it later.
     *
     * @return \Generator<int, InboundMessagePage>
     */
    public function inboundPages(
        ?string $after = null,
        ?int $limit = null,
        ?string $receiver = null,
        ?string $sender = null,
        DateTimeInterface|string|null $from = null,
        DateTimeInterface|string|null $to = null,
    ): \Generator {
        do {
            $page = $this->listInboundMessages($after, $limit, $receiver, $sender, $from, $to);
            yield $page;
            $after = $page->nextCursor;
        } while ($page->hasMore);
    }

    /**
     * Received messages, one after another, until none is left.
     *
     * @return \Generator<int, InboundMessage>
     */
    public function inboundMessages(
        ?string $after = null,
        ?int $limit = null,
        ?string $receiver = null,
        ?string $sender = null,
        DateTimeInterface|string|null $from = null,
        DateTimeInterface|string|null $to = null,
    ): \Generator {
        foreach ($this->inboundPages($after, $limit, $receiver, $sender, $from, $to) as $page) {
            foreach ($page->items as $one) {
                yield $one;
            }
        }
    }

    /**
     * Register a webhook.
     * @param list<'message.status'|'inbound.received'> $events
     */
    public function createWebhook(
        string $url,
        array $events,
        ?string $correlationId = null,
    ): CreatedWebhook {
        return CreatedWebhook::from($this->call(
            'POST',
            '/v1/webhooks/',
            $correlationId,
            isRepeatable: false,
            body: ['url' => $url, 'events' => $events],
        ));
    }

    /**
     * Webhooks of the account.
     * @return list<Webhook>
     */
    public function listWebhooks(
        ?string $correlationId = null,
    ): array {
        return array_map(Webhook::from(...), $this->call(
            'GET',
            '/v1/webhooks/',
            $correlationId,
        ));
    }

    /**
     * Change a webhook.
     * @param list<'message.status'|'inbound.received'>|null $events
     */
    public function updateWebhook(
        string $id,
        ?array $events = null,
        ?bool $isActive = null,
        ?string $correlationId = null,
    ): Webhook {
        return Webhook::from($this->call(
            'PATCH',
            '/v1/webhooks/' . static::segment($id),
            $correlationId,
            body: ['events' => $events, 'isActive' => $isActive],
        ));
    }

    /** Remove a webhook. */
    public function deleteWebhook(
        string $id,
        ?string $correlationId = null,
    ): void {
        $this->call(
            'DELETE',
            '/v1/webhooks/' . static::segment($id),
            $correlationId,
        );
    }

    /** Send a test event. */
    public function testWebhook(
        string $id,
        ?string $correlationId = null,
    ): QueuedTestEvent {
        return QueuedTestEvent::from($this->call(
            'POST',
            '/v1/webhooks/' . static::segment($id) . '/test',
            $correlationId,
            isRepeatable: false,
        ));
    }
}
