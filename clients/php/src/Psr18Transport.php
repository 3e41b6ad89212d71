<?php

declare(strict_types=1);

namespace Peyk\Client;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** Over a PSR-18 client of yours, whose own time limit holds. */
final readonly class Psr18Transport implements Transport
{
    public function __construct(
        private ClientInterface $client,
        private RequestFactoryInterface $requests,
        private StreamFactoryInterface $streams,
    ) {}

    public function send(Request $request): Response
    {
        $sent = $this->requests->createRequest($request->method, $request->url);
        foreach ($request->headers as $name => $value) {
            $sent = $sent->withHeader($name, $value);
        }
        if ($request->body !== null) {
            $sent = $sent->withBody($this->streams->createStream($request->body));
        }
        try {
            $answer = $this->client->sendRequest($sent);
            $headers = array_map(static fn (array $lines): string => implode(', ', $lines), $answer->getHeaders());
            return new Response($answer->getStatusCode(), array_change_key_case($headers), (string) $answer->getBody());
        } catch (ClientExceptionInterface | \RuntimeException $reason) {
            throw new TransportException($reason->getMessage(), 0, $reason);
        }
    }
}
