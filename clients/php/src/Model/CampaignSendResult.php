<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** What was accepted, and its campaign. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class CampaignSendResult extends Model
{
    public function __construct(
        public string $trackingCode,
        /** @var 'queued' */
        public string $status,
        /** @var 'Latin'|'Persian'|'Unicode' */
        public string $encoding,
        public int $characterCount,
        public int $partCount,
        public string $submittedAt,
        public bool $duplicate,
        public ?string $campaign = null,
    ) {
    }
}
