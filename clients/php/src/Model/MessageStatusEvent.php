<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A message has a new public status. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class MessageStatusEvent extends Model
{
    public function __construct(
        public string $id,
        /** @var 'message.status' */
        public string $type,
        public string $createdAt,
        public MessageStatusChange $data,
    ) {
    }
}
