<?php

declare(strict_types=1);

namespace Peyk\Client;

/** Peyk in memory, for the tests of a program that sends: it takes every operation and needs no server. */
final class FakePeyk implements Transport
{
    /** @var list<Model\MessageRecord> every message that was accepted, the oldest first */
    public array $messages = [];
    /** @var array<string, string> the one-time passwords that were sent, by tracking code; their messages mask them */
    public array $codes = [];
    /** @var list<Model\InboundMessage> */
    public array $inbound = [];
    /** @var list<Model\Sender> */
    public array $senders;
    /** @var list<Model\ApprovedGroup> */
    public array $groups = [];
    /** @var array<string, list<string>> the recipients of each group, by its code */
    public array $members = [];
    /** @var list<Model\Pattern> */
    public array $patterns = [];
    /** @var list<Model\CreatedWebhook> */
    public array $webhooks = [];
    /** @var list<\RuntimeException|'lost'> */
    private array $failures = [];
    /** @var array<string, array{code: string, recipient: string, until: float, attempts: int, isUsed: bool}> */
    private array $challenges = [];
    /** @var array<string, array{string, array<mixed>}> the operation and its answer, by key */
    private array $replays = [];
    private readonly \Closure $now;

    /** @param (callable(): float)|null $now Unix time */
    public function __construct(?callable $now = null)
    {
        $this->now = ($now ?? static fn (): float => microtime(true))(...);
        $this->senders = [new Model\Sender('30001234', true)];
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
        $this->failures[] = new TransportException('The connection broke');
    }

    /** The next request is refused. */
    public function refuseNext(int $status, string $code, ?int $retryAfterSeconds = null): void
    {
        $headers = $retryAfterSeconds === null ? [] : ['retry-after' => (string) $retryAfterSeconds];
        $this->failures[] = new FakeRefusal($code, $status, headers: $headers);
    }

    /** A text from a phone, as `inboundMessages` will show it. */
    public function receive(string $sender, string $receiver, string $message): Model\InboundMessage
    {
        return $this->inbound[] = new Model\InboundMessage($this->code(), $sender, $receiver, $message, $this->time());
    }

    /** What the network would have answered. */
    public function setStatus(string $trackingCode, string $status, ?string $errorCode = null): void
    {
        $index = self::indexOf($trackingCode, $this->messages, 'trackingCode', 'message_not_found');
        $record = $this->messages[$index];
        $at = $this->time();
        $this->messages[$index] = new Model\MessageRecord(...[
            ...get_object_vars($record),
            'status' => $status,
            'error' => $errorCode === null ? null : new Model\MessageError($errorCode, $errorCode),
            'updatedAt' => $at,
            'sentAt' => $record->sentAt ?? (in_array($status, ['sent', 'delivered'], true) ? $at : null),
            'deliveredAt' => $status === 'delivered' ? $at : null,
            'history' => [...$record->history, new Model\HistoryEntry($status, $status, $at)],
        ]);
    }

    public function send(Request $request): Response
    {
        $failure = array_shift($this->failures);
        try {
            [$status, $body] = $failure instanceof \RuntimeException ? throw $failure : $this->answer($request);
            $answer = new Response($status, [], $status === 204 ? '' : (string) json_encode($body));
        } catch (FakeRefusal $refusal) {
            $code = $refusal->getMessage();
            $ids = ['correlationId' => $request->headers['X-Correlation-Id']];
            $body = (string) json_encode(['code' => $code, 'message' => $code, ...$refusal->details, ...$ids]);
            $answer = new Response($refusal->getCode(), $refusal->headers, $body);
        }
        return $failure === 'lost' ? throw new TransportException('The connection broke before the answer') : $answer;
    }

    private function answer(Request $request): array
    {
        $path = (string) parse_url($request->url, PHP_URL_PATH);
        $operation = "$request->method $path";
        $key = $request->headers['Idempotency-Key'] ?? '';
        if (isset($this->replays[$key])) {
            [$earlier, $body] = $this->replays[$key];
            self::refuseIf($earlier !== $operation, 409, 'idempotency_key_conflict');
            $repeated = static fn (array $one): array => [...$one, 'duplicate' => true];
            return [200, array_is_list($body) ? array_map($repeated, $body) : $repeated($body)];
        }
        $fields = (array) json_decode($request->body ?? '{}', true);
        parse_str((string) parse_url($request->url, PHP_URL_QUERY), $query);
        $segments = array_map(rawurldecode(...), explode('/', $path));
        [, , $resource, $first, $second, $third] = array_pad($segments, 6, '');
        $answer = match ("$request->method $resource") {
            'GET messages' => [200, $this->statuses([$first])[0] ?? throw new FakeRefusal('message_not_found', 404)],
            'POST messages' => match ($second === '' ? $first : $second) {
                'scheduled' => [202, $this->schedule($fields)],
                'batch' => [202, $this->batch($fields['sender'], $fields['messages'])],
                'status' => [200, $this->statuses($fields['trackingCodes'])],
                'cancel' => [200, $this->cancel($first)],
                default => [202, $this->accept($fields)],
            },
            'GET senders' => [200, $this->senders],
            'GET approved-groups' => [200, $this->groups],
            'POST approved-groups' => [202, $this->group($first, $fields)],
            'GET patterns' => [200, $this->patterns],
            'POST patterns' => [202, $this->pattern($first, $fields)],
            'POST otp' => match (true) {
                $first === 'codes' => [202, $this->acceptCode($fields, $fields['code'])],
                $third === 'verify' => [200, $this->verify($second, $fields['code'])],
                default => [202, $this->challenge($fields)],
            },
            'GET inbound-messages' => [200, $this->inboundPage($query)],
            'GET webhooks' => [
                200,
                array_map(Model\Webhook::from(...), array_map(get_object_vars(...), $this->webhooks)),
            ],
            'POST webhooks' => $first === '' ? [201, $this->createWebhook($fields)] : $this->webhook('POST', $first),
            'PATCH webhooks', 'DELETE webhooks' => $this->webhook($request->method, $first, $fields),
            default => throw new FakeRefusal('not_found', 404),
        };
        if ($key !== '') {
            $this->replays[$key] = [$operation, json_decode((string) json_encode($answer[1]), true)];
        }
        return $answer;
    }

    /** Throws if a field is wrong; returns the fields with a sender. */
    private function checked(array $fields, string $at = ''): array
    {
        $isNumber = preg_match('/\A\+\d{8,15}\z/', self::e164($fields['recipient'])) === 1;
        self::check($isNumber, "{$at}recipient", 'invalid_phone_number');
        self::check($fields['message'] !== '', "{$at}message", 'too_short');
        self::check(mb_strlen($fields['message']) <= 2000, "{$at}message", 'too_long');
        $active = array_filter($this->senders, static fn (Model\Sender $one): bool => $one->active);
        $names = array_column($active, 'sender');
        $fields['sender'] ??= $names[0] ?? null;
        self::refuseIf(!in_array($fields['sender'], $names, true), 403, 'sender_not_permitted');
        return $fields;
    }

    private function accept(array $fields, ?string $sendAt = null): Model\SendResult|Model\ScheduledSendResult
    {
        $fields = $this->checked($fields);
        $at = $this->time();
        $record = $this->messages[] = Model\MessageRecord::from([
            'trackingCode' => $this->code(),
            'clientReference' => $fields['clientReference'] ?? null,
            'sender' => $fields['sender'],
            'recipient' => self::e164($fields['recipient']),
            'message' => $fields['message'],
            'characterCount' => mb_strlen($fields['message']),
            ...self::measured($fields['message']),
            'status' => 'queued',
            'submittedAt' => $at,
            'updatedAt' => $at,
            'sendAt' => $sendAt,
            'history' => [['status' => 'queued', 'note' => 'queued', 'changedAt' => $at]],
        ]);
        $result = $sendAt === null ? Model\SendResult::class : Model\ScheduledSendResult::class;
        return $result::from([...get_object_vars($record), 'duplicate' => false]);
    }

    private function schedule(array $fields): Model\ScheduledSendResult
    {
        $ahead = (float) (new \DateTimeImmutable($fields['sendAt']))->format('U.v') - ($this->now)();
        self::check($ahead >= 30 && $ahead <= 30 * 86_400, 'sendAt', 'out_of_range');
        return $this->accept($fields, $this->time($ahead));
    }

    private function batch(string $sender, array $messages): array
    {
        foreach ($messages as $index => $one) {
            $this->checked([...$one, 'sender' => $sender], "messages[$index].");
        }
        return array_map(fn (array $one) => $this->acceptOfMany([...$one, 'sender' => $sender]), $messages);
    }

    private function acceptOfMany(array $fields): Model\CampaignSendResult
    {
        return Model\CampaignSendResult::from(get_object_vars($this->accept($fields)));
    }

    private function statuses(array $trackingCodes): array
    {
        $known = array_column($this->messages, null, 'trackingCode');
        $wanted = array_fill_keys($trackingCodes, null);
        return array_values(array_filter([...$wanted, ...array_intersect_key($known, $wanted)]));
    }

    private function cancel(string $trackingCode): Model\CancelResult
    {
        $index = self::indexOf($trackingCode, $this->messages, 'trackingCode', 'message_not_found');
        if ($this->messages[$index]->status === 'queued') {
            $this->setStatus($trackingCode, 'cancelled');
        }
        $record = $this->messages[$index];
        self::refuseIf($record->status !== 'cancelled', 409, 'message_not_cancellable');
        return new Model\CancelResult($trackingCode, 'cancelled', $record->updatedAt);
    }

    private function group(string $code, array $fields): array
    {
        self::indexOf($code, $this->groups, 'code', 'group_not_found');
        $recipients = $this->members[$code] ?? throw new FakeRefusal('group_not_sendable', 409);
        return array_map(fn (string $one) => $this->acceptOfMany([...$fields, 'recipient' => $one]), $recipients);
    }

    private function pattern(string $code, array $fields): Model\SendResult
    {
        $pattern = $this->patterns[self::indexOf($code, $this->patterns, 'code', 'pattern_not_found')];
        self::refuseIf(!$pattern->isActive, 409, 'pattern_not_sendable');
        $text = $pattern->text;
        foreach ($pattern->variables as $variable) {
            self::check(isset($fields['variables'][$variable->name]), "variables.$variable->name", 'required');
            $text = str_replace("{{{$variable->name}}}", $fields['variables'][$variable->name], $text);
        }
        $fields['sender'] ??= $pattern->sender;
        return $this->accept([...$fields, 'message' => $text]);
    }

    private function acceptCode(array $fields, string $code): Model\SendResult
    {
        self::check(preg_match('/\A[\p{L}\p{Nd}]{4,10}\z/u', $code) === 1, 'code', 'invalid_format');
        $result = $this->accept([...$fields, 'message' => str_repeat('•', mb_strlen($code))]);
        $this->codes[$result->trackingCode] = $code;
        return $result;
    }

    private function challenge(array $fields): Model\OtpChallenge
    {
        $length = $fields['codeLength'] ?? 6;
        $code = str_pad((string) random_int(0, 10 ** $length - 1), $length, '0', STR_PAD_LEFT);
        $trackingCode = $this->acceptCode($fields, $code)->trackingCode;
        $recipient = self::e164($fields['recipient']);
        foreach ($this->challenges as $earlier => $one) {
            $this->challenges[$earlier]['until'] = $one['recipient'] === $recipient ? 0.0 : $one['until'];
        }
        $seconds = $fields['ttlSeconds'] ?? 300;
        $id = self::uuid();
        $until = ($this->now)() + $seconds;
        $this->challenges[$id] = compact('code', 'recipient', 'until') + ['attempts' => 5, 'isUsed' => false];
        return new Model\OtpChallenge($id, $trackingCode, 'pending', $this->time($seconds), $this->time(60), 5, false);
    }

    private function verify(string $id, string $code): Model\OtpVerification
    {
        $challenge = $this->challenges[$id] ?? throw new FakeRefusal('otp_challenge_not_found', 404);
        self::refuseIf($challenge['isUsed'], 409, 'otp_challenge_used');
        self::refuseIf($challenge['until'] <= ($this->now)(), 409, 'otp_challenge_expired');
        self::refuseIf($challenge['attempts'] === 0, 409, 'otp_challenge_locked');
        $isRight = $code === $challenge['code'];
        $left = $challenge['attempts'] - 1;
        $this->challenges[$id] = ['attempts' => $left, 'isUsed' => $isRight] + $challenge;
        [$status, $verifiedAt] = $isRight ? ['verified', $this->time()] : ['pending', null];
        return new Model\OtpVerification($id, $status, $verifiedAt, $left);
    }

    private function inboundPage(array $query): Model\InboundMessagePage
    {
        $after = (int) ($query['after'] ?? 0);
        $end = min($after + (int) ($query['limit'] ?? 100), count($this->inbound));
        $wanted = static fn (Model\InboundMessage $one): bool =>
            ($query['receiver'] ?? $one->receiver) === $one->receiver
            && self::e164($query['sender'] ?? $one->sender) === self::e164($one->sender)
            && strtotime($query['from'] ?? $one->receivedAt) <= strtotime($one->receivedAt)
            && strtotime($one->receivedAt) < strtotime($query['to'] ?? '9999-01-01T00:00:00Z');
        $items = array_filter(array_slice($this->inbound, $after, $end - $after), $wanted);
        return new Model\InboundMessagePage(array_values($items), (string) $end, $end < count($this->inbound));
    }

    private function createWebhook(array $fields): Model\CreatedWebhook
    {
        self::refuseIf(count($this->webhooks) >= 5, 409, 'webhook_limit_reached');
        self::check(str_starts_with($fields['url'], 'https://'), 'url', 'invalid_format');
        $at = $this->time();
        $secret = 'whsec_' . strtr(rtrim(base64_encode(random_bytes(32)), '='), '+/', '-_');
        $made = new Model\CreatedWebhook(self::uuid(), $fields['url'], $fields['events'], true, $at, $at, $secret);
        return $this->webhooks[] = $made;
    }

    /** Tests, deletes or updates a webhook. */
    private function webhook(string $method, string $id, array $fields = []): array
    {
        $index = self::indexOf($id, $this->webhooks, 'id', 'webhook_not_found');
        if ($method === 'POST') {
            self::refuseIf(!$this->webhooks[$index]->isActive, 409, 'webhook_inactive');
            return [202, new Model\QueuedTestEvent(self::uuid(), 'queued')];
        }
        if ($method === 'DELETE') {
            return [204, array_splice($this->webhooks, $index, 1)];
        }
        $changes = [...array_intersect_key($fields, ['events' => 1, 'isActive' => 1]), 'updatedAtUtc' => $this->time()];
        $changed = [...get_object_vars($this->webhooks[$index]), ...$changes];
        $this->webhooks[$index] = new Model\CreatedWebhook(...$changed);
        return [200, Model\Webhook::from($changed)];
    }

    /** @param list<object> $rows */
    private static function indexOf(string $value, array $rows, string $name, string $code): int
    {
        $index = array_search($value, array_column($rows, $name), true);
        return $index === false ? throw new FakeRefusal($code, 404) : $index;
    }

    private static function refuseIf(bool $isSo, int $status, string $code): void
    {
        $isSo && throw new FakeRefusal($code, $status);
    }

    private static function check(bool $isGood, string $field, string $problem): void
    {
        $errors = [['field' => $field, 'code' => $problem, 'message' => $problem]];
        $isGood || throw new FakeRefusal('validation_failed', 400, ['errors' => $errors]);
    }

    /** Encoding and parts, near enough for tests: the service counts by the alphabet of GSM. */
    private static function measured(string $text): array
    {
        $isLatin = preg_match('/\A[\n\r\x20-\x7e]*\z/', $text) === 1;
        [$single, $part] = $isLatin ? [160, 153] : [70, 67];
        $units = intdiv(strlen(mb_convert_encoding($text, 'UTF-16LE', 'UTF-8')), 2);
        $partCount = $units <= $single ? 1 : (int) ceil($units / $part);
        $other = preg_match('/[\x{600}-\x{6ff}]/u', $text) === 1 ? 'Persian' : 'Unicode';
        return ['encoding' => $isLatin ? 'Latin' : $other, 'partCount' => $partCount];
    }

    private static function e164(string $number): string
    {
        return (string) preg_replace(['/\A00/', '/\A0?(?=9\d{9}\z)/'], ['+', '+98'], $number);
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
        return (new \DateTimeImmutable(sprintf('@%.6F', ($this->now)() + $inSeconds)))->format('Y-m-d\TH:i:s.v\Z');
    }
}
