<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A page of received messages. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class InboundMessagePage extends Model
{
    protected const LISTS = ['items' => InboundMessage::class];

    public function __construct(
        /** @var list<InboundMessage> */
        public array $items,
        public string $nextCursor,
        public bool $hasMore,
    ) {
    }
}
