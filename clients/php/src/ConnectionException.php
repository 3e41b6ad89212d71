<?php

declare(strict_types=1);

namespace Peyk\Client;

/** No answer came: it is not known whether the service took the last attempt. */
final class ConnectionException extends PeykException {}
