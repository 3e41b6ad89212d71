<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** Why the message failed; null unless its status is failed. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class MessageError extends Model
{
    public function __construct(
        /** @var 'rejected_by_network'|'recipient_unreachable'|'recipient_invalid'|'expired'|'blocked'|'undeliverable'|'route_unavailable'|'internal' */
        public string $code,
        public string $message,
    ) {
    }
}
