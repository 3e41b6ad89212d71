<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A cancelled message. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class CancelResult extends Model
{
    public function __construct(
        public string $trackingCode,
        /** @var 'cancelled' */
        public string $status,
        public string $cancelledAt,
    ) {
    }
}
