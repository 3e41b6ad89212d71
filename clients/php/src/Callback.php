<?php

declare(strict_types=1);

namespace Peyk\Client;

/** Callbacks of the service: who sent them, and what they say. */
final class Callback
{
    private const EVENTS = [
        'message.status' => Model\MessageStatusEvent::class,
        'inbound.received' => Model\InboundReceivedEvent::class,
        'webhook.test' => Model\WebhookTestEvent::class,
    ];

    /**
     * The event of a callback. The same `id` may come more than once.
     *
     * @param string $body the bytes as they came: file_get_contents('php://input')
     * @param array<string, mixed> $headers in any case, those of a PSR-7 message, or $_SERVER
     * @param string|list<string> $secret the signing secret; the old and the new one while it is replaced
     * @throws SignatureException
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter]
        string|array $secret,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): Model\MessageStatusEvent|Model\InboundReceivedEvent|Model\WebhookTestEvent {
        if (!self::isAuthentic($body, $headers, $secret, $toleranceSeconds, $now)) {
            throw new SignatureException("The callback's signature or time is wrong");
        }
        $event = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        $class = self::EVENTS[$event['type']] ?? throw new \UnexpectedValueException('An event of an unknown type');
        return $class::from($event);
    }

    /**
     * Whether the service signed it, within the tolerance. Compares in constant time.
     *
     * @param array<string, mixed> $headers
     * @param string|list<string> $secret
     */
    public static function isAuthentic(
        string $body,
        array $headers,
        #[\SensitiveParameter]
        string|array $secret,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): bool {
        $timestamp = self::header($headers, 'x-service-timestamp');
        $signature = self::header($headers, 'x-service-signature');
        $isTime = preg_match('/\A[0-9]{1,12}\z/', $timestamp) === 1;
        if (!$isTime || abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            return false;
        }
        $isRight = static fn (string $one): bool => hash_equals(self::signature($one, $timestamp, $body), $signature);
        return array_filter((array) $secret, $isRight) !== [];
    }

    /**
     * The headers of a callback as the service sends them, for tests of a receiver.
     *
     * @return array<string, string>
     */
    public static function sign(#[\SensitiveParameter] string $secret, string $body, ?int $now = null): array
    {
        $event = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        $timestamp = (string) ($now ?? time());
        return [
            'X-Service-Event-Id' => $event['id'],
            'X-Service-Event' => $event['type'],
            'X-Service-Timestamp' => $timestamp,
            'X-Service-Signature' => self::signature($secret, $timestamp, $body),
        ];
    }

    private static function signature(#[\SensitiveParameter] string $secret, string $timestamp, string $body): string
    {
        return 'v1=' . hash_hmac('sha256', "$timestamp.$body", $secret);
    }

    /** @param array<string, mixed> $headers */
    private static function header(array $headers, string $wanted): string
    {
        foreach ($headers as $name => $value) {
            $lower = preg_replace('/\Ahttp-/', '', str_replace('_', '-', strtolower((string) $name)));
            if ($lower === $wanted) {
                return is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
            }
        }
        return '';
    }
}
