-- Posts single messages with keys and recipients of their own.
local thread = 0
function setup(worker)
  worker:set("worker", thread)
  thread = thread + 1
end

local count = 0
local headers = {
  ["X-API-Key"] = os.getenv("BENCH_KEY"),
  ["Content-Type"] = "application/json",
}
local run = os.getenv("BENCH_RUN")
-- Random keys, as clients use UUIDs: sequential ones would flatter every index.
math.randomseed(tonumber(run))

function request()
  count = count + 1
  headers["Idempotency-Key"] = string.format("%08x-%08x-%s-%d-%d", math.random(0, 0x7fffffff), math.random(0, 0x7fffffff), run, worker, count)
  local recipient = string.format("0912%07d", math.random(0, 9999999))
  return wrk.format("POST", "/v1/messages", headers, '{"sender":"30001234","recipient":"' .. recipient .. '","message":"سلام، کد پیگیری شما ۱۲۳۴۵ است"}')
end

