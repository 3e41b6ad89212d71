<?php

/** Every operation once, through the built PHP library: with a server, or without PEYK_URL with the fake. Prints what each answered. */

declare(strict_types=1);

use Peyk\Client\ApiException;
use Peyk\Client\Callback;
use Peyk\Client\FakePeyk;
use Peyk\Client\Model\ApprovedGroup;
use Peyk\Client\Model\BatchMessage;
use Peyk\Client\Model\Pattern;
use Peyk\Client\Model\PatternVariable;
use Peyk\Client\Peyk;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/transport.php';

$fake = getenv('PEYK_URL') === false ? new FakePeyk() : null;
$peyk = $fake?->client() ?? new Peyk(transport: transportOf($argv));
$ask = static fn (string $path): string => file_get_contents(getenv('PEYK_HELPER') . $path);
$digit = getenv('PEYK_DIGIT');
[$sender, $recipient, $message] = ['30001234', "0912000000$digit", 'سلام! سفارش شما ارسال شد.'];
$answers = [];

if ($fake !== null) {
    $fake->groups[] = new ApprovedGroup('spring', 'بهار', 1, null);
    $fake->members['spring'] = ['09121111111'];
    $variables = [new PatternVariable('name', 30)];
    $fake->patterns[] = new Pattern('ready', 'آماده', '{{name}} عزیز', $variables, null, true, null);
    foreach (['یک', 'دو', 'سه'] as $text) {
        $fake->receive('09121234567', '30001234', $text);
    }
}

$sent = $answers['sendMessage'] = $peyk->sendMessage($sender, $recipient, $message, clientReference: 'order-1042');
$answers['trackingCode'] = $sent->trackingCode;
$later = new DateTimeImmutable('+1 hour');
$scheduled = $answers['scheduleMessage'] = $peyk->scheduleMessage($sender, $recipient, $message, $later);
$answers['sendMessageBatch'] = $peyk->sendMessageBatch($sender, [new BatchMessage($recipient, $message)]);
$answers['getMessage'] = $peyk->getMessage($sent->trackingCode);
$answers['getMessageStatuses'] = $peyk->getMessageStatuses([$sent->trackingCode]);
$answers['cancelMessage'] = $peyk->cancelMessage($scheduled->trackingCode);
$answers['listSenders'] = $peyk->listSenders();
$answers['listApprovedGroups'] = $peyk->listApprovedGroups();
$answers['sendToApprovedGroup'] = $peyk->sendToApprovedGroup('spring', sender: $sender, message: $message);
$answers['listPatterns'] = $peyk->listPatterns();
$values = ['name' => 'سارا'];
$answers['sendPatternMessage'] = $peyk->sendPatternMessage('ready', $recipient, $values, sender: $sender);
$phone = "0912000001$digit";
$challenge = $answers['createOtpChallenge'] = $peyk->createOtpChallenge($phone, sender: $sender, codeLength: 5);
$code = $fake?->codes[$challenge->trackingCode] ?? $ask("/code?of=$phone");
$answers['verifyOtpChallenge'] = $peyk->verifyOtpChallenge($challenge->challengeId, $code);
$answers['sendOtpCode'] = $peyk->sendOtpCode("0912000002$digit", '4821', sender: $sender);
$answers['listInboundMessages'] = $peyk->listInboundMessages(limit: 2, from: new DateTimeImmutable('2020-01-01T00:00:00Z'));
$webhook = $answers['createWebhook'] = $peyk->createWebhook(getenv('PEYK_RECEIVER'), ['message.status']);
$answers['listWebhooks'] = $peyk->listWebhooks();
$answers['updateWebhook'] = $peyk->updateWebhook($webhook->id, events: ['inbound.received']);
$test = $answers['testWebhook'] = $peyk->testWebhook($webhook->id);
if ($fake === null) {
    ['body' => $body, 'headers' => $headers] = json_decode($ask("/callback?of=$test->eventId"), true);
} else {
    $data = ['webhookId' => $webhook->id, 'message' => 'This is a test event.'];
    $event = ['id' => $test->eventId, 'type' => 'webhook.test', 'createdAt' => gmdate('Y-m-d\TH:i:s\Z'), 'data' => $data];
    $body = json_encode($event);
    $headers = Callback::sign($webhook->signingSecret, $body);
}
$answers['event'] = Callback::verify($body, $headers, ['whsec_old', $webhook->signingSecret]);
$peyk->deleteWebhook($webhook->id);
$answers['deleteWebhook'] = null;

foreach ($peyk->inboundMessages(limit: 2) as $received) {
    $answers['inbound'][] = $received->message;
}
try {
    $peyk->sendMessage($sender, '12', '', correlationId: 'journey');
} catch (ApiException $error) {
    $fields = array_map(static fn ($one): string => "$one->field: $one->code", $error->fieldErrors);
    $call = ['status' => $error->status, 'code' => $error->errorCode, 'correlationId' => $error->correlationId];
    $answers['error'] = [...$call, 'fields' => $fields];
}
echo json_encode($answers);
