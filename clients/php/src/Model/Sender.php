<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A sender of the account. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class Sender extends Model
{
    public function __construct(
        public string $sender,
        public bool $active,
    ) {
    }
}
