<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** One public step. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class HistoryEntry extends Model
{
    public function __construct(
        /** @var 'queued'|'processing'|'sent'|'delivered'|'failed'|'cancelled' */
        public string $status,
        public string $note,
        public string $changedAt,
    ) {
    }
}
