<?php

declare(strict_types=1);

namespace Peyk\Client;

use Peyk\Client\Model\ApprovedGroup;
use Peyk\Client\Model\CreatedWebhook;
use Peyk\Client\Model\InboundMessage;
use Peyk\Client\Model\MessageRecord;
use Peyk\Client\Model\Pattern;
use Peyk\Client\Model\Sender;
use Peyk\Client\Model\Webhook;

/** Peyk in memory, for the tests of a program that sends: it takes every operation and needs no server. */
final class FakePeyk implements Transport
{
    /** @var list<MessageRecord> every message that was accepted, the oldest first */
    public array $messages = [];
    /** @var array<string, string> the one-time passwords that were sent, by tracking code; their messages mask them */
    public array $codes = [];
    /** @var list<InboundMessage> */
    public array $inbound = [];
    /** @var list<Sender> */
    public array $senders;
    /** @var list<ApprovedGroup> */
    public array $groups = [];
    /** @var array<string, list<string>> the recipients of each group, by its code */
    public array $members = [];
    /** @var list<Pattern> */
    public array $patterns = [];
    /** @var list<CreatedWebhook> */
    public array $webhooks = [];
    /** @var list<Response|string> */
    private array $failures = [];
    /** @var array<string, array{code: string, recipient: string, until: float, attempts: int, state: string}> */
    private array $challenges = [];
    /** @var array<string, array{string, array<mixed>}> */
    private array $replays = [];
    private readonly \Closure $now;

    /** @param (callable(): float)|null $now Unix time */
    public function __construct(?callable $now = null)
    {
        $this->now = ($now ?? static fn (): float => microtime(true))(...);
        $this->senders = [new Sender('30001234', true)];
    }

    /** A client of this fake. It does not wait between its attempts. */
    public function client(): Peyk
    {
        return new Peyk('http://peyk.test', 'fake', transport: $this, sleep: static fn (): null => null);
    }

    /** The next request is carried out, and its answer never arrives. */
    public function loseNext(): void
    {
        $this->failures[] = 'lost';
    }

    /** The connection breaks before the next request arrives. */
    public function breakNext(): void
    {
        $this->failures[] = 'broken';
    }

    /** The next request is refused. */
    public function refuseNext(int $status, string $code, ?int $retryAfterSeconds = null): void
    {
        $headers = $retryAfterSeconds === null ? [] : ['retry-after' => (string) $retryAfterSeconds];
        $body = (string) json_encode(['code' => $code, 'message' => $code]);
        $this->failures[] = new Response($status, $headers, $body);
    }

    /** A text from a phone, as `inboundMessages` will show it. */
    public function receive(string $sender, string $receiver, string $message): InboundMessage
    {
        return $this->inbound[] = new InboundMessage($this->code(), $sender, $receiver, $message, $this->time());
    }

    /** What the network would have answered. */
    public function setStatus(string $trackingCode, string $status, ?string $errorCode = null): void
    {
        $index = $this->indexOf($this->messages, 'trackingCode', $trackingCode, 'message_not_found');
        $record = $this->messages[$index];
        $at = $this->time();
        $isOut = $status === 'sent' || $status === 'delivered';
        $this->messages[$index] = MessageRecord::from([
            ...self::fields($record),
            'status' => $status,
            'error' => $errorCode === null ? null : ['code' => $errorCode, 'message' => $errorCode],
            'updatedAt' => $at,
            'sentAt' => $record->sentAt ?? ($isOut ? $at : null),
            'deliveredAt' => $status === 'delivered' ? $at : null,
            'history' => [
                ...self::fields($record->history),
                ['status' => $status, 'note' => $status, 'changedAt' => $at],
            ],
        ]);
    }

    public function send(Request $request): Response
    {
        $failure = array_shift($this->failures);
        if ($failure instanceof Response) {
            return $failure;
        }
        if ($failure === 'broken') {
            throw new TransportException('The connection broke');
        }
        try {
            [$status, $body] = $this->answer($request);
            $answer = new Response($status, [], $status === 204 ? '' : (string) json_encode($body));
        } catch (FakeRefusal $refusal) {
            $errors = $refusal->field === null ? [] : [
                'errors' => [['field' => $refusal->field, 'code' => $refusal->problem, 'message' => $refusal->problem]],
            ];
            $body = ['code' => $refusal->getMessage(), 'message' => $refusal->getMessage(), ...$errors];
            $body['correlationId'] = $request->headers['X-Correlation-Id'];
            $answer = new Response($refusal->status, [], (string) json_encode($body));
        }
        return $failure === 'lost' ? throw new TransportException('The connection broke before the answer') : $answer;
    }

    private function answer(Request $request): array
    {
        $path = (string) parse_url($request->url, PHP_URL_PATH);
        $operation = "$request->method $path";
        $key = $request->headers['Idempotency-Key'] ?? null;
        if ($key !== null && isset($this->replays[$key])) {
            [$earlier, $body] = $this->replays[$key];
            self::refuseIf($earlier !== $operation, 409, 'idempotency_key_conflict');
            $repeated = static fn (array $one): array => [...$one, 'duplicate' => true];
            return [200, array_is_list($body) ? array_map($repeated, $body) : $repeated($body)];
        }
        $fields = (array) json_decode($request->body ?? '{}', true);
        parse_str((string) parse_url($request->url, PHP_URL_QUERY), $query);
        $segments = array_pad(array_map(rawurldecode(...), explode('/', $path)), 6, '');
        [, , $resource, $first, $second, $third] = $segments;
        $answer = match ($resource) {
            'messages' => $this->messagesAnswer($request->method, $first, $second, $fields),
            'senders' => [200, self::fields($this->senders)],
            'approved-groups' => $first === '' ? [200, self::fields($this->groups)] : $this->group($first, $fields),
            'patterns' => $first === '' ? [200, self::fields($this->patterns)] : $this->pattern($first, $fields),
            'otp' => match (true) {
                $first === 'codes' => [202, $this->acceptCode($fields, $fields['code'])],
                $third === 'verify' => [200, $this->verify($second, $fields['code'])],
                default => [202, $this->challenge($fields)],
            },
            'inbound-messages' => [200, $this->inboundPage($query)],
            'webhooks' => $this->webhook($request->method, $first, $fields, $second === 'test'),
            default => throw new FakeRefusal(404, 'not_found'),
        };
        if ($key !== null) {
            $this->replays[$key] = [$operation, $answer[1]];
        }
        return $answer;
    }

    private function messagesAnswer(string $method, string $first, string $second, array $fields): array
    {
        if ($second === 'cancel') {
            return [200, $this->cancel($first)];
        }
        if ($method === 'GET') {
            return [200, self::fields($this->find($this->messages, 'trackingCode', $first, 'message_not_found'))];
        }
        switch ($first) {
            case 'scheduled':
                return [202, $this->schedule($fields)];
            case 'batch':
                $whole = static fn (array $one): array => [...$one, 'sender' => $fields['sender']];
                $items = array_map($whole, $fields['messages']);
                foreach ($items as $index => $one) {
                    $this->checkMessage($one, "messages[$index].");
                }
                return [202, array_map($this->accept(...), $items)];
            case 'status':
                $found = [];
                foreach (array_unique($fields['trackingCodes']) as $code) {
                    $known = static fn (MessageRecord $one): bool => $one->trackingCode === $code;
                    $found = [...$found, ...array_filter($this->messages, $known)];
                }
                return [200, self::fields(array_values($found))];
            default:
                return [202, $this->accept($fields)];
        }
    }

    private function checkMessage(array $fields, string $at = ''): void
    {
        $isNumber = preg_match('/\A\+\d{8,15}\z/', self::e164($fields['recipient'])) === 1;
        self::check($isNumber, "{$at}recipient", 'invalid_phone_number');
        self::check($fields['message'] !== '', "{$at}message", 'too_short');
        self::check(mb_strlen($fields['message']) <= 2000, "{$at}message", 'too_long');
        $known = static fn (Sender $one): bool => $one->active && $one->sender === $fields['sender'];
        self::refuseIf(array_filter($this->senders, $known) === [], 403, 'sender_not_permitted');
    }

    private function accept(array $fields, ?string $sendAt = null): array
    {
        $active = array_values(array_filter($this->senders, static fn (Sender $one): bool => $one->active));
        $fields['sender'] ??= $active[0]->sender ?? null;
        $this->checkMessage($fields);
        [$encoding, $partCount] = self::measured($fields['message']);
        $at = $this->time();
        $result = [
            'trackingCode' => $this->code(),
            'status' => 'queued',
            'encoding' => $encoding,
            'characterCount' => mb_strlen($fields['message']),
            'partCount' => $partCount,
            'submittedAt' => $at,
        ];
        $this->messages[] = MessageRecord::from([
            ...$result,
            'clientReference' => $fields['clientReference'] ?? null,
            'sender' => $fields['sender'],
            'recipient' => self::e164($fields['recipient']),
            'message' => $fields['message'],
            'updatedAt' => $at,
            'sendAt' => $sendAt,
            'history' => [['status' => 'queued', 'note' => 'queued', 'changedAt' => $at]],
        ]);
        return [...$result, 'duplicate' => false];
    }

    private function schedule(array $fields): array
    {
        $ahead = (float) (new \DateTimeImmutable($fields['sendAt']))->format('U.v') - ($this->now)();
        self::check($ahead >= 30 && $ahead <= 30 * 86_400, 'sendAt', 'out_of_range');
        $sendAt = $this->time($ahead);
        return [...$this->accept($fields, $sendAt), 'sendAt' => $sendAt];
    }

    private function group(string $code, array $fields): array
    {
        $this->find($this->groups, 'code', $code, 'group_not_found');
        $recipients = $this->members[$code] ?? throw new FakeRefusal(409, 'group_not_sendable');
        $accept = fn (string $one): array => $this->accept([...$fields, 'recipient' => $one]);
        return [202, array_map($accept, $recipients)];
    }

    private function pattern(string $code, array $fields): array
    {
        $pattern = $this->find($this->patterns, 'code', $code, 'pattern_not_found');
        self::refuseIf(!$pattern->isActive, 409, 'pattern_not_sendable');
        $text = $pattern->text;
        foreach ($pattern->variables as $variable) {
            self::check(isset($fields['variables'][$variable->name]), "variables.$variable->name", 'required');
            $text = str_replace("{{{$variable->name}}}", $fields['variables'][$variable->name], $text);
        }
        $fields['sender'] ??= $pattern->sender;
        return [202, $this->accept([...$fields, 'message' => $text])];
    }

    private function acceptCode(array $fields, string $code): array
    {
        self::check(preg_match('/\A[\p{L}\p{Nd}]{4,10}\z/u', $code) === 1, 'code', 'invalid_format');
        $result = $this->accept([...$fields, 'message' => str_repeat('•', mb_strlen($code))]);
        $this->codes[$result['trackingCode']] = $code;
        return $result;
    }

    private function challenge(array $fields): array
    {
        $length = $fields['codeLength'] ?? 6;
        $code = str_pad((string) random_int(0, 10 ** $length - 1), $length, '0', STR_PAD_LEFT);
        ['trackingCode' => $trackingCode] = $this->acceptCode($fields, $code);
        $recipient = self::e164($fields['recipient']);
        foreach ($this->challenges as &$one) {
            if ($one['recipient'] === $recipient && $one['state'] === 'live') {
                $one['state'] = 'expired';
            }
        }
        unset($one);
        $seconds = $fields['ttlSeconds'] ?? 300;
        $id = self::uuid();
        $until = ($this->now)() + $seconds;
        $this->challenges[$id] = compact('code', 'recipient', 'until') + ['attempts' => 5, 'state' => 'live'];
        return [
            'challengeId' => $id,
            'trackingCode' => $trackingCode,
            'status' => 'pending',
            'expiresAt' => $this->time($seconds),
            'resendAvailableAt' => $this->time(60),
            'attemptsRemaining' => 5,
            'duplicate' => false,
        ];
    }

    private function verify(string $id, string $code): array
    {
        $challenge = $this->challenges[$id] ?? throw new FakeRefusal(404, 'otp_challenge_not_found');
        self::refuseIf($challenge['state'] === 'used', 409, 'otp_challenge_used');
        self::refuseIf($challenge['state'] === 'expired' || $challenge['until'] <= ($this->now)(), 409, 'otp_challenge_expired');
        self::refuseIf($challenge['attempts'] === 0, 409, 'otp_challenge_locked');
        $isRight = $code === $challenge['code'];
        $this->challenges[$id]['attempts'] -= 1;
        $this->challenges[$id]['state'] = $isRight ? 'used' : 'live';
        return [
            'challengeId' => $id,
            'status' => $isRight ? 'verified' : 'pending',
            'verifiedAt' => $isRight ? $this->time() : null,
            'attemptsRemaining' => $this->challenges[$id]['attempts'],
        ];
    }

    private function cancel(string $trackingCode): array
    {
        $status = $this->find($this->messages, 'trackingCode', $trackingCode, 'message_not_found')->status;
        self::refuseIf($status !== 'queued' && $status !== 'cancelled', 409, 'message_not_cancellable');
        if ($status === 'queued') {
            $this->setStatus($trackingCode, 'cancelled');
        }
        $at = $this->find($this->messages, 'trackingCode', $trackingCode, 'message_not_found')->updatedAt;
        return ['trackingCode' => $trackingCode, 'status' => 'cancelled', 'cancelledAt' => $at];
    }

    private function inboundPage(array $query): array
    {
        $after = (int) ($query['after'] ?? 0);
        $end = min($after + (int) ($query['limit'] ?? 100), count($this->inbound));
        $wanted = static fn (InboundMessage $one): bool => ($query['receiver'] ?? $one->receiver) === $one->receiver
            && self::e164($query['sender'] ?? $one->sender) === self::e164($one->sender)
            && strtotime($query['from'] ?? $one->receivedAt) <= strtotime($one->receivedAt)
            && strtotime($one->receivedAt) < strtotime($query['to'] ?? '9999-01-01T00:00:00Z');
        $items = array_filter(array_slice($this->inbound, $after, $end - $after), $wanted);
        $hasMore = $end < count($this->inbound);
        return ['items' => self::fields(array_values($items)), 'nextCursor' => (string) $end, 'hasMore' => $hasMore];
    }

    private function webhook(string $method, string $id, array $fields, bool $isTest): array
    {
        $public = static fn (CreatedWebhook $one): array => self::fields(Webhook::from(self::fields($one)));
        if ($method === 'GET') {
            return [200, array_map($public, $this->webhooks)];
        }
        $at = $this->time();
        if ($id === '') {
            self::refuseIf(count($this->webhooks) >= 5, 409, 'webhook_limit_reached');
            self::check(str_starts_with($fields['url'], 'https://'), 'url', 'invalid_format');
            $secret = 'whsec_' . strtr(rtrim(base64_encode(random_bytes(32)), '='), '+/', '-_');
            $made = new CreatedWebhook(self::uuid(), $fields['url'], $fields['events'], true, $at, $at, $secret);
            $this->webhooks[] = $made;
            return [201, self::fields($made)];
        }
        $index = $this->indexOf($this->webhooks, 'id', $id, 'webhook_not_found');
        if ($isTest) {
            self::refuseIf(!$this->webhooks[$index]->isActive, 409, 'webhook_inactive');
            return [202, ['eventId' => self::uuid(), 'status' => 'queued']];
        }
        if ($method === 'DELETE') {
            array_splice($this->webhooks, $index, 1);
            return [204, []];
        }
        $changes = [...array_intersect_key($fields, ['events' => 1, 'isActive' => 1]), 'updatedAtUtc' => $at];
        $changed = CreatedWebhook::from([...self::fields($this->webhooks[$index]), ...$changes]);
        $this->webhooks[$index] = $changed;
        return [200, $public($changed)];
    }

    /** Encoding and parts, near enough for tests: the service counts by the alphabet of GSM. */
    private static function measured(string $text): array
    {
        $isLatin = preg_match('/\A[\n\r\x20-\x7e]*\z/', $text) === 1;
        [$single, $part] = $isLatin ? [160, 153] : [70, 67];
        $units = intdiv(strlen(mb_convert_encoding($text, 'UTF-16LE', 'UTF-8')), 2);
        $other = preg_match('/[\x{600}-\x{6ff}]/u', $text) === 1 ? 'Persian' : 'Unicode';
        return [$isLatin ? 'Latin' : $other, $units <= $single ? 1 : (int) ceil($units / $part)];
    }

    private static function e164(string $number): string
    {
        return (string) preg_replace(['/\A00/', '/\A0?(?=9\d{9}\z)/'], ['+', '+98'], $number);
    }

    private static function refuseIf(bool $isSo, int $status, string $code): void
    {
        $isSo && throw new FakeRefusal($status, $code);
    }

    private static function check(bool $isGood, string $field, string $problem): void
    {
        $isGood || throw new FakeRefusal(400, 'validation_failed', $field, $problem);
    }

    /** @return array<mixed> an object or a list as JSON has it */
    private static function fields(mixed $value): array
    {
        return (array) json_decode((string) json_encode($value), true);
    }

    /** @param list<object> $rows */
    private function indexOf(array $rows, string $name, string $value, string $code): int
    {
        foreach ($rows as $index => $row) {
            if ($row->$name === $value) {
                return $index;
            }
        }
        throw new FakeRefusal(404, $code);
    }

    /**
     * @template Row of object
     * @param list<Row> $rows
     * @return Row
     */
    private function find(array $rows, string $name, string $value, string $code): object
    {
        return $rows[$this->indexOf($rows, $name, $value, $code)];
    }

    private static function uuid(): string
    {
        return vsprintf('%s%s-%s-4%.3s-8%.3s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
    }

    private function code(): string
    {
        return sprintf('01FAKE%020d', count($this->messages) + count($this->inbound) + 1);
    }

    private function time(float $inSeconds = 0): string
    {
        $at = \DateTimeImmutable::createFromFormat('U.u', sprintf('%.6F', ($this->now)() + $inSeconds));
        return $at === false ? '' : $at->format('Y-m-d\TH:i:s.v\Z');
    }
}
