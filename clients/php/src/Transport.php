<?php

declare(strict_types=1);

namespace Peyk\Client;

/** Sends one request, without following redirects. */
interface Transport
{
    /** @throws TransportException where no answer came */
    public function send(Request $request): Response;
}
