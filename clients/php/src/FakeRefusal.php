<?php

declare(strict_types=1);

namespace Peyk\Client;

/** A refusal by FakePeyk, with the status and code of its answer. @internal */
final class FakeRefusal extends \RuntimeException
{
    public function __construct(
        string $code,
        int $status,
        public readonly array $details = [],
        public readonly array $headers = [],
    ) {
        parent::__construct($code, $status);
    }
}
