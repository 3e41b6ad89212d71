-- As send.lua, but each connection rests between its requests: for load below what is possible.
dofile(os.getenv("BENCH_SCRIPTS") .. "/send.lua")

local restMsMax = 2 * tonumber(os.getenv("BENCH_REST_MS"))

function delay()
  return math.random(0, restMsMax)
end
