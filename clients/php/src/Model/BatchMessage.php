<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class BatchMessage extends Model
{
    public function __construct(
        public string $recipient,
        public string $message,
        public ?string $clientReference = null,
    ) {
    }
}
