<?php

declare(strict_types=1);

namespace Peyk\Client\Model;

/** An object of the API. Fields that this version does not know are left out. */
abstract readonly class Model implements \JsonSerializable
{
    /** The classes of the lists' entries, by field. */
    protected const LISTS = [];

    /** @param array<string, mixed> $fields */
    final public static function from(array $fields): static
    {
        $arguments = [];
        foreach ((new \ReflectionMethod(static::class, '__construct'))->getParameters() as $parameter) {
            $name = $parameter->getName();
            $value = $fields[$name] ?? null;
            $type = $parameter->getType();
            $class = $type instanceof \ReflectionNamedType ? $type->getName() : '';
            if (is_array($value) && isset(static::LISTS[$name])) {
                $value = array_map(static::LISTS[$name]::from(...), array_values($value));
            } elseif (is_array($value) && is_subclass_of($class, self::class)) {
                $value = $class::from($value);
            }
            $arguments[$name] = $value;
        }
        return new static(...$arguments);
    }

    /** As the API has it: a field that may be absent is, where it is null. */
    public function jsonSerialize(): array
    {
        $fields = get_object_vars($this);
        foreach ((new \ReflectionMethod(static::class, '__construct'))->getParameters() as $parameter) {
            if ($parameter->isOptional() && $fields[$parameter->getName()] === null) {
                unset($fields[$parameter->getName()]);
            }
        }
        return $fields;
    }
}
