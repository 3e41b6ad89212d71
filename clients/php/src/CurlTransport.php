<?php

declare(strict_types=1);

namespace Peyk\Client;

/** Over PHP's curl; the connection is kept from call to call. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;

    public function send(Request $request): Response
    {
        $handle = $this->handle ??= curl_init();
        $line = static fn (string $name): string => "$name: {$request->headers[$name]}";
        $headers = [];
        curl_reset($handle);
        curl_setopt_array($handle, [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => array_map($line, array_keys($request->headers)),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ($request->timeoutSeconds * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($request->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $request->body);
        }
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new TransportException(curl_error($handle));
        }
        return new Response((int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }
}
