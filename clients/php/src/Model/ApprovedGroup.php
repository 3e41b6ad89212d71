<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A group that the account may send to. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class ApprovedGroup extends Model
{
    public function __construct(
        public string $code,
        public string $name,
        public int $recipientCount,
        public ?string $approvedAt,
    ) {
    }
}
