"""The client for asyncio, for programs that are written for the other: with httpx if it is installed."""

import asyncio

from peyk_client import async_httpx_transport


class Blocking:
    """`make`: of a client, from the options that carry requests; called in its loop."""

    def __init__(self, make):
        self._runner = asyncio.Runner()
        self._client = self._runner.run(self._made(make))

    async def _made(self, make):
        try:
            import httpx
        except ImportError:
            return make({})
        return make({"transport": async_httpx_transport(httpx.AsyncClient(trust_env=False))})

    def __getattr__(self, name):
        def call(*arguments, **named):
            answer = getattr(self._client, name)(*arguments, **named)
            return self._runner.run(_read(answer) if hasattr(answer, "__aiter__") else answer)

        return call


async def _read(answer):
    return [one async for one in answer]
