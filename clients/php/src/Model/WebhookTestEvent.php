<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** The answer to POST /v1/webhooks/{id}/test. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class WebhookTestEvent extends Model
{
    public function __construct(
        public string $id,
        /** @var 'webhook.test' */
        public string $type,
        public string $createdAt,
        public WebhookTest $data,
    ) {
    }
}
