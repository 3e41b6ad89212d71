<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** The result of a verification. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class OtpVerification extends Model
{
    public function __construct(
        public string $challengeId,
        /** @var 'verified'|'pending' */
        public string $status,
        public ?string $verifiedAt,
        public int $attemptsRemaining,
    ) {
    }
}
