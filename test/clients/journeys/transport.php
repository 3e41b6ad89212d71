<?php

/** The transport that the command line names: curl, or one of Debian's PSR-18 clients. */

declare(strict_types=1);

use Peyk\Client\CurlTransport;
use Peyk\Client\Psr18Transport;
use Peyk\Client\Transport;

function transportOf(array $argv): Transport
{
    if (in_array('--guzzle', $argv, true)) {
        require_once '/usr/share/php/GuzzleHttp/autoload.php';
        $factory = new GuzzleHttp\Psr7\HttpFactory();
        return new Psr18Transport(new GuzzleHttp\Client(['timeout' => 30]), $factory, $factory);
    }
    if (in_array('--symfony', $argv, true)) {
        foreach (['Psr/Http/Client', 'Nyholm/Psr7', 'Symfony/Component/HttpClient'] as $package) {
            require_once "/usr/share/php/$package/autoload.php";
        }
        $factory = new Nyholm\Psr7\Factory\Psr17Factory();
        return new Psr18Transport(new Symfony\Component\HttpClient\Psr18Client(null, $factory, $factory), $factory, $factory);
    }
    return new CurlTransport();
}
