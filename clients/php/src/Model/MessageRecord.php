<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A message with its public history. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class MessageRecord extends Model
{
    protected const LISTS = ['history' => HistoryEntry::class];

    public function __construct(
        public string $trackingCode,
        public ?string $clientReference,
        public string $sender,
        public string $recipient,
        public string $message,
        /** @var 'Latin'|'Persian'|'Unicode' */
        public string $encoding,
        public int $characterCount,
        public int $partCount,
        /** @var 'queued'|'processing'|'sent'|'delivered'|'failed'|'cancelled' */
        public string $status,
        public ?MessageError $error,
        public string $submittedAt,
        public string $updatedAt,
        public ?string $sendAt,
        public ?string $sentAt,
        public ?string $deliveredAt,
        /** @var list<HistoryEntry> */
        public array $history,
    ) {
    }
}
