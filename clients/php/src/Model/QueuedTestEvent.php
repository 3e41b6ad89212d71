<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A queued test event. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class QueuedTestEvent extends Model
{
    public function __construct(
        public string $eventId,
        /** @var 'queued' */
        public string $status,
    ) {
    }
}
