<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** An approved text with variables. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class Pattern extends Model
{
    protected const LISTS = ['variables' => PatternVariable::class];

    public function __construct(
        public string $code,
        public string $name,
        public string $text,
        /** @var list<PatternVariable> */
        public array $variables,
        public ?string $sender,
        public bool $isActive,
        public ?string $approvedAt,
    ) {
    }
}
