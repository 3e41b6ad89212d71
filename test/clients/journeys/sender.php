<?php

/** Sends one message after the other until the file STOP is there, and at least so many as are wanted; prints the tracking code of each. */

declare(strict_types=1);

use Peyk\Client\Peyk;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/transport.php';

$peyk = new Peyk(retriesMax: 30, transport: transportOf($argv));
$codes = [];
while (!file_exists(getenv('PEYK_STOP')) || count($codes) < (int) getenv('PEYK_MESSAGES')) {
    $reference = getenv('PEYK_NAME') . '-' . count($codes) . '-';
    $codes[] = $peyk->sendMessage('30001234', '09121234567', 'سلام', clientReference: $reference)->trackingCode;
    usleep(5_000);
    clearstatcache();
}
echo json_encode($codes);
