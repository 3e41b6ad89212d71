<?php

declare(strict_types=1);

namespace Peyk\Client;

/** A callback that the service did not sign, or that is too old. Answer it with 400 and do nothing. */
final class SignatureException extends \RuntimeException {}
