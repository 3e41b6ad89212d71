<?php

declare(strict_types=1);

namespace Peyk\Client;

/** What FakePeyk refuses. @internal */
final class FakeRefusal extends \RuntimeException
{
    public function __construct(
        public readonly int $status,
        string $code,
        public readonly ?string $field = null,
        public readonly ?string $problem = null,
    ) {
        parent::__construct($code);
    }
}
