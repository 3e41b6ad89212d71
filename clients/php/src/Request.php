<?php

declare(strict_types=1);

namespace Peyk\Client;

/** What a transport sends. Its headers hold the API key, so it is not printed. */
final readonly class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public string $method,
        public string $url,
        #[\SensitiveParameter]
        public array $headers,
        public ?string $body,
        public float $timeoutSeconds,
    ) {}

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'url' => $this->url];
    }
}
