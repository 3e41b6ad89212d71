<?php

/** Which calls the PHP library repeats and when, what it throws, and which callbacks it takes. */

declare(strict_types=1);

use Peyk\Client\ApiException;
use Peyk\Client\Callback;
use Peyk\Client\ConnectionException;
use Peyk\Client\FakePeyk;
use Peyk\Client\Model\CreatedWebhook;
use Peyk\Client\Model\SendResult;
use Peyk\Client\Peyk;
use Peyk\Client\Request;
use Peyk\Client\Response;
use Peyk\Client\SignatureException;
use Peyk\Client\Transport;

require __DIR__ . '/vendor/autoload.php';

/** A client whose pauses are written down in place of waiting, and which always draws the longest jitter. */
final class Observed implements Transport
{
    public readonly FakePeyk $fake;
    public readonly Peyk $peyk;
    /** @var list<float> */
    public array $waits = [];
    /** @var list<Request> */
    public array $requests = [];

    /** @param list<Response>|null $answers in place of the fake's */
    public function __construct(private ?array $answers = null, int $retriesMax = 6)
    {
        $this->fake = new FakePeyk();
        $this->peyk = new Peyk(
            'http://peyk.test/',
            'pk_secret',
            retriesMax: $retriesMax,
            transport: $this,
            sleep: function (float $seconds): void {
                $this->waits[] = $seconds;
            },
            fraction: static fn (): float => 1.0,
            now: static fn (): float => 1795188960.0,
        );
    }

    public function send(Request $request): Response
    {
        $this->requests[] = $request;
        return $this->answers === null ? $this->fake->send($request) : array_shift($this->answers);
    }

    public function text(?string $idempotencyKey = null): SendResult
    {
        return $this->peyk->sendMessage('30001234', '09121234567', 'سلام', idempotencyKey: $idempotencyKey);
    }

    public function webhook(): CreatedWebhook
    {
        return $this->peyk->createWebhook('https://hooks.example.com/sms', ['message.status']);
    }
}

function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new Exception('Expected ' . json_encode($expected) . ', got ' . json_encode($actual));
    }
}

/**
 * @template Thrown of Throwable
 * @param class-string<Thrown> $class
 * @return Thrown
 */
function thrownBy(string $class, callable $call): Throwable
{
    try {
        $call();
    } catch (Throwable $reason) {
        return $reason instanceof $class ? $reason : throw $reason;
    }
    throw new Exception("No $class was thrown");
}

// A lost answer is asked for again under the same key.
$seen = new Observed();
$seen->fake->loseNext();
$seen->fake->breakNext();
$seen->fake->loseNext();
same(true, $seen->text()->duplicate);
same([1, 4], [count($seen->fake->messages), count($seen->requests)]);
same(1, count(array_unique(array_map(static fn (Request $one): string => $one->headers['Idempotency-Key'], $seen->requests))));
same([0.25, 0.5, 1.0], $seen->waits);

// Two calls have two keys, unless the caller names one.
$seen = new Observed();
foreach ([null, null, 'order-1', 'order-1'] as $key) {
    $result = $seen->text($key);
}
same([3, true], [count($seen->fake->messages), $result->duplicate]);

// Retry-After is waited for up to a minute.
$seen = new Observed();
$seen->fake->refuseNext(429, 'rate_limit_exceeded', 60);
$seen->fake->refuseNext(503, 'service_unavailable', 2);
$seen->peyk->listSenders();
same([60.25, 2.25], $seen->waits);
$seen->fake->refuseNext(429, 'rate_limit_exceeded', 61);
same(61, thrownBy(ApiException::class, $seen->peyk->listSenders(...))->retryAfterSeconds);

// Retry-After may be a date.
$headers = ['retry-after' => 'Fri, 20 Nov 2026 15:36:10 GMT'];
$seen = new Observed([new Response(502, $headers, 'busy'), new Response(200, [], '[]')]);
same([], $seen->peyk->listSenders());
same([10.25], $seen->waits);

// The pauses double up to eight seconds and end.
$seen = new Observed(retriesMax: 7);
for ($index = 0; $index < 8; $index += 1) {
    $seen->fake->breakNext();
}
$error = thrownBy(ConnectionException::class, static fn () => $seen->text('order-1'));
same([8, 'order-1'], [$error->attempts, $error->idempotencyKey]);
same([0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0], $seen->waits);

// What is refused for good is not repeated.
$refusals = ['validation_failed' => 400, 'quota_exceeded' => 403, 'not_found' => 404, 'otp_rate_limited' => 429];
foreach ($refusals as $code => $status) {
    $seen = new Observed();
    $seen->fake->refuseNext($status, $code, 1);
    same($code, thrownBy(ApiException::class, $seen->text(...))->errorCode);
    same(1, count($seen->requests));
}

// What must not be done twice is repeated only where it was refused.
$seen = new Observed();
$seen->fake->loseNext();
thrownBy(ConnectionException::class, $seen->webhook(...));
$seen->fake->refuseNext(500, 'internal_error');
same(500, thrownBy(ApiException::class, $seen->webhook(...))->status);
same([2, 1], [count($seen->requests), count($seen->fake->webhooks)]);
$seen->fake->refuseNext(429, 'rate_limit_exceeded', 1);
$webhook = $seen->webhook();
same([4, 2], [count($seen->requests), count($seen->fake->webhooks)]);
$seen->fake->loseNext();
$seen->peyk->deleteWebhook($webhook->id);
$missing = thrownBy(ApiException::class, static fn () => $seen->peyk->deleteWebhook($webhook->id));
same('webhook_not_found', $missing->errorCode);

// An answer of something between is no error of the service.
$seen = new Observed([new Response(301, ['location' => 'https://elsewhere'], '<html>')]);
$error = thrownBy(ApiException::class, $seen->peyk->listSenders(...));
same([301, 'unexpected_answer', []], [$error->status, $error->errorCode, $error->fieldErrors]);

// An id that would make another path is refused.
foreach (['', '.', '..'] as $id) {
    thrownBy(InvalidArgumentException::class, static fn () => $seen->peyk->cancelMessage($id));
}

// The service and its key are those of the environment unless given; without them, the error names the variable.
$urls = [];
$recording = new class ($urls) implements Transport {
    /** @param list<string> $urls */
    public function __construct(private array &$urls)
    {
    }

    public function send(Request $request): Response
    {
        $this->urls[] = "$request->url {$request->headers['X-API-Key']}";
        return new Response(200, [], '[]');
    }
};
same(
    'Set PEYK_URL, or give new Peyk() $baseUrl',
    thrownBy(InvalidArgumentException::class, static fn () => new Peyk(apiKey: 'pk_1'))->getMessage(),
);
putenv('PEYK_URL=https://sms.example.com/');
same(
    'Set PEYK_API_KEY, or give new Peyk() $apiKey',
    thrownBy(InvalidArgumentException::class, static fn () => new Peyk())->getMessage(),
);
thrownBy(InvalidArgumentException::class, static fn () => new Peyk('', 'pk_1'));
// As libraries that read `.env` files do.
$_ENV['PEYK_API_KEY'] = 'pk_1';
(new Peyk(transport: $recording))->listSenders();
(new Peyk('http://b', 'pk_2', transport: $recording))->listSenders();
same(['https://sms.example.com/v1/senders pk_1', 'http://b/v1/senders pk_2'], $urls);

// The API key is printed nowhere.
ob_start();
var_dump($seen->peyk, $seen->requests, $error->getTraceAsString());
same(false, str_contains((string) ob_get_clean(), 'pk_secret'));

foreach (json_decode(getenv('PEYK_VECTORS'), true) as $vector) {
    ['body' => $body, 'secret' => $secret, 'now' => $now, 'valid' => $isValid] = $vector;
    $headers = ['X-Service-Timestamp' => $vector['timestamp'], 'X-Service-Signature' => $vector['signature']];
    $server = ['HTTP_X_SERVICE_TIMESTAMP' => $vector['timestamp'], 'HTTP_X_SERVICE_SIGNATURE' => $vector['signature']];
    $psr7 = array_map(static fn (string $one): array => [$one], $headers);
    foreach ([$headers, $server, $psr7] as $form) {
        same($isValid, Callback::isAuthentic($body, $form, ['whsec_other', $secret], now: $now));
    }
    if (!$isValid) {
        thrownBy(SignatureException::class, static fn () => Callback::verify($body, $headers, $secret, now: $now));
    }
}
echo "ok\n";
