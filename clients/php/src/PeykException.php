<?php

declare(strict_types=1);

namespace Peyk\Client;

/** A call that did not succeed. Repeating it with its key sends nothing twice; null: it has no key. */
abstract class PeykException extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly string $correlationId,
        public readonly ?string $idempotencyKey,
        public readonly int $attempts,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
