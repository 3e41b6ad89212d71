<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** One variable. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class PatternVariable extends Model
{
    public function __construct(
        public string $name,
        public int $maxLength,
    ) {
    }
}
