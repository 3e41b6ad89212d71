<?php

declare(strict_types=1);

namespace Peyk\Client;

/** No answer came. */
final class TransportException extends \RuntimeException {}
