<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** The received message. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class ReceivedMessage extends Model
{
    public function __construct(
        public string $trackingCode,
        public string $sender,
        public string $receiver,
        public string $message,
        public string $receivedAt,
    ) {
    }
}
