<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** What was tested. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class WebhookTest extends Model
{
    public function __construct(
        public string $webhookId,
        public string $message,
    ) {
    }
}
