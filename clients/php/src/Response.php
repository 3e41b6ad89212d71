<?php

declare(strict_types=1);

namespace Peyk\Client;

/** What a transport got back. */
final readonly class Response
{
    /** @param array<string, string> $headers their names in lower case */
    public function __construct(public int $status, public array $headers, public string $body) {}
}
