<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A webhook. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class Webhook extends Model
{
    public function __construct(
        public string $id,
        public string $url,
        /** @var list<'message.status'|'inbound.received'> */
        public array $events,
        public bool $isActive,
        public string $createdAtUtc,
        public string $updatedAtUtc,
    ) {
    }
}
