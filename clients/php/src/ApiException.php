<?php

declare(strict_types=1);

namespace Peyk\Client;

/** The service refused the call, or something between answered in its place (`unexpected_answer`). */
final class ApiException extends PeykException
{
    /** One of the codes that the reference lists. */
    public readonly string $errorCode;
    /** @var list<Model\FieldError> every wrong field, with `validation_failed` */
    public readonly array $fieldErrors;

    public function __construct(
        public readonly int $status,
        string $body,
        public readonly ?int $retryAfterSeconds,
        string $correlationId,
        ?string $idempotencyKey,
        int $attempts,
    ) {
        $answer = json_decode($body, true);
        $isError = is_array($answer) && is_string($answer['code'] ?? null) && is_string($answer['message'] ?? null);
        $none = ['code' => 'unexpected_answer', 'message' => "An answer that is not the service's."];
        $answer = $isError ? $answer : $none;
        $this->errorCode = $answer['code'];
        $this->fieldErrors = array_map(Model\FieldError::from(...), array_values($answer['errors'] ?? []));
        $fields = array_map(static fn (Model\FieldError $one) => " $one->field: $one->code.", $this->fieldErrors);
        $message = "$status $this->errorCode: {$answer['message']}" . implode('', $fields);
        parent::__construct($message, $answer['correlationId'] ?? $correlationId, $idempotencyKey, $attempts);
    }
}
