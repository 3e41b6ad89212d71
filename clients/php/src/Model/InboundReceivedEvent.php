<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A message was received for the account. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class InboundReceivedEvent extends Model
{
    public function __construct(
        public string $id,
        /** @var 'inbound.received' */
        public string $type,
        public string $createdAt,
        public ReceivedMessage $data,
    ) {
    }
}
