<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** What is wrong with one field, parameter or header. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class FieldError extends Model
{
    public function __construct(
        public string $field,
        /** @var 'required'|'invalid_type'|'too_short'|'too_long'|'too_few'|'too_many'|'invalid_format'|'invalid_phone_number'|'out_of_range'|'duplicate'|'unknown' */
        public string $code,
        public string $message,
    ) {
    }
}
