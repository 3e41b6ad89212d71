<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A message in short. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class StatusSummary extends Model
{
    public function __construct(
        public string $trackingCode,
        public ?string $clientReference,
        public string $sender,
        public string $recipient,
        /** @var 'queued'|'processing'|'sent'|'delivered'|'failed'|'cancelled' */
        public string $status,
        public int $partCount,
        public string $submittedAt,
        public string $updatedAt,
    ) {
    }
}
