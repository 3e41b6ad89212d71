<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** A code that was sent to its recipient. Made by `bun run clients` from openapi.json. Do not edit. */
final readonly class OtpChallenge extends Model
{
    public function __construct(
        public string $challengeId,
        public string $trackingCode,
        /** @var 'pending' */
        public string $status,
        public string $expiresAt,
        public string $resendAvailableAt,
        public int $attemptsRemaining,
        public bool $duplicate,
    ) {
    }
}
