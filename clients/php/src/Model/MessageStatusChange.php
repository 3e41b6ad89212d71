<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** The message as it is by now. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class MessageStatusChange extends Model
{
    public function __construct(
        public string $trackingCode,
        public ?string $clientReference,
        public string $sender,
        public string $recipient,
        /** @var 'queued'|'processing'|'sent'|'delivered'|'failed'|'cancelled' */
        public string $status,
        public string $changedAt,
    ) {
    }
}
