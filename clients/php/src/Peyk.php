<?php

declare(strict_types=1);

namespace Peyk\Client;

/** A client of one server and API key: one key for each call, kept over its retries. */
final class Peyk extends Operations
{
    private const FIRST_DELAY = 0.25;
    private const DELAY_MAX = 8.0;

    private readonly string $baseUrl;
    private readonly string $apiKey;
    private readonly Transport $transport;
    private readonly \Closure $sleep;
    private readonly \Closure $fraction;
    private readonly \Closure $now;

    /**
     * All times are seconds. The last three are for tests.
     *
     * @param string|null $baseUrl of the service, such as `https://sms.example.com`: PEYK_URL of the environment unless given
     * @param string|null $apiKey PEYK_API_KEY of the environment unless given
     * @param float $waitMax a longer `Retry-After` is not waited for, but thrown
     * @param (callable(float): mixed)|null $sleep
     * @param (callable(): float)|null $fraction 0 to 1
     * @param (callable(): float)|null $now Unix time
     * @throws \InvalidArgumentException where neither names the service and its key
     */
    public function __construct(
        ?string $baseUrl = null,
        #[\SensitiveParameter]
        ?string $apiKey = null,
        private readonly int $retriesMax = 6,
        private readonly float $timeout = 30,
        private readonly float $waitMax = 60,
        ?Transport $transport = null,
        ?callable $sleep = null,
        ?callable $fraction = null,
        ?callable $now = null,
    ) {
        $this->baseUrl = rtrim(self::given('baseUrl', $baseUrl ?? self::variable('PEYK_URL'), 'PEYK_URL'), '/');
        $this->apiKey = self::given('apiKey', $apiKey ?? self::variable('PEYK_API_KEY'), 'PEYK_API_KEY');
        $this->transport = $transport ?? new CurlTransport();
        $this->sleep = ($sleep ?? static fn (float $seconds) => usleep((int) ($seconds * 1e6)))(...);
        $this->fraction = ($fraction ?? static fn (): float => random_int(0, 1_000_000) / 1e6)(...);
        $this->now = ($now ?? static fn (): float => microtime(true))(...);
    }

    /** Libraries that read `.env` files write `$_ENV` and `$_SERVER` alone. */
    private static function variable(string $name): string
    {
        $value = getenv($name) ?: $_ENV[$name] ?? $_SERVER[$name] ?? '';
        return is_string($value) ? $value : '';
    }

    private static function given(string $option, #[\SensitiveParameter] string $value, string $variable): string
    {
        return $value !== '' ? $value : throw new \InvalidArgumentException("Set $variable, or give new Peyk() \$$option");
    }

    /** @return array<string, mixed> without the API key */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    protected function call(
        string $method,
        string $path,
        ?string $correlationId,
        ?string $key = null,
        bool $isRepeatable = true,
        ?array $body = null,
        array $query = [],
    ): array {
        $correlationId ??= self::newKey();
        $headers = self::withoutNulls([
            'X-API-Key' => $this->apiKey,
            'X-Correlation-Id' => $correlationId,
            'Accept' => 'application/json',
            'Idempotency-Key' => $key,
            'Content-Type' => $body === null ? null : 'application/json',
        ]);
        $parameters = http_build_query(self::withoutNulls($query), '', '&', PHP_QUERY_RFC3986);
        $url = $this->baseUrl . $path . ($parameters === '' ? '' : "?$parameters");
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
        $json = $body === null ? null : json_encode((object) self::withoutNulls($body), $flags);
        $request = new Request($method, $url, $headers, $json, $this->timeout);
        $wasLost = false;
        for ($attempts = 1; ; $attempts += 1) {
            $call = [$correlationId, $key, $attempts];
            try {
                $response = $this->transport->send($request);
                if ($response->status >= 200 && $response->status < 300) {
                    return self::decoded($response->body);
                }
                // An earlier attempt has removed it, and its answer was lost.
                if ($wasLost && $method === 'DELETE' && $response->status === 404) {
                    return [];
                }
                $answer = [$response->status, $response->body, $this->retryAfterOf($response)];
                $refusal = new ApiException(...$answer, ...$call);
            } catch (TransportException | \JsonException $reason) {
                $refusal = new ConnectionException("No answer after $attempts attempts", ...[...$call, $reason]);
            }
            $delay = $attempts <= $this->retriesMax ? $this->delayAfter($refusal, $isRepeatable, $attempts) : null;
            if ($delay === null) {
                throw $refusal;
            }
            $wasLost = $wasLost || !$refusal instanceof ApiException || $refusal->status >= 500;
            ($this->sleep)($delay);
        }
    }

    protected static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }

    protected static function segment(string $value): string
    {
        if (in_array($value, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException("Not a code or id: '$value'");
        }
        return rawurlencode($value);
    }

    /** @return array<mixed> */
    private static function decoded(string $body): array
    {
        $answer = $body === '' ? [] : json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        return is_array($answer) ? $answer : throw new \JsonException('An answer that is no object and no list');
    }

    /**
     * What is null is left out, which is the same to the service.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function withoutNulls(array $fields): array
    {
        $format = 'Y-m-d\TH:i:s.vP';
        $text = static fn (mixed $one): mixed => $one instanceof \DateTimeInterface ? $one->format($format) : $one;
        return array_map($text, array_filter($fields, static fn (mixed $one): bool => $one !== null));
    }

    private function retryAfterOf(Response $response): ?int
    {
        $text = $response->headers['retry-after'] ?? '';
        if (preg_match('/\A[0-9]{1,9}\z/', $text) === 1) {
            return (int) $text;
        }
        $at = $text === '' ? false : strtotime($text);
        return $at === false ? null : max(0, (int) ceil($at - ($this->now)()));
    }

    /** Null: the call is not repeated. */
    private function delayAfter(PeykException $refusal, bool $isRepeatable, int $attempts): ?float
    {
        $backoff = min(self::FIRST_DELAY * 2 ** ($attempts - 1), self::DELAY_MAX) * (0.5 + ($this->fraction)() / 2);
        if (!$refusal instanceof ApiException) {
            return $isRepeatable ? $backoff : null;
        }
        // A code a minute for a recipient is a rule for people: waiting here would only hold them up.
        $isBusy = $refusal->status === 429 && $refusal->errorCode !== 'otp_rate_limited';
        $isRefused = $isBusy || $refusal->errorCode === 'service_unavailable';
        if (!$isRefused && !($isRepeatable && ($refusal->status === 408 || $refusal->status >= 500))) {
            return null;
        }
        $wait = (float) ($refusal->retryAfterSeconds ?? 0);
        if ($wait > $this->waitMax) {
            return null;
        }
        // Whoever was told the same second does not come back in the same moment.
        return max($wait > 0 ? $wait + ($this->fraction)() * self::FIRST_DELAY : 0.0, $backoff);
    }
}
