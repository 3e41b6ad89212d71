<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A webhook, with its signing secret. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class CreatedWebhook extends Model
{
    public function __construct(
        public string $id,
        public string $url,
        /** @var list<'message.status'|'inbound.received'> */
        public array $events,
        public bool $isActive,
        public string $createdAtUtc,
        public string $updatedAtUtc,
        public string $signingSecret,
    ) {
    }
}
