-- Posts one-time passwords that the customer made, each to a number that has had none: the service limits them per number.
local headers = {
  ["X-API-Key"] = os.getenv("BENCH_KEY"),
  ["Content-Type"] = "application/json",
}
local run = os.getenv("BENCH_RUN")
local number = tonumber(os.getenv("BENCH_FIRST"))
math.randomseed(tonumber(run))

function request()
  number = number + 1
  headers["Idempotency-Key"] = string.format("%08x-%08x-%s-%d", math.random(0, 0x7fffffff), math.random(0, 0x7fffffff), run, number)
  -- 7919 has no factor in common with 10^7: every number comes once, spread over all ranges.
  local recipient = string.format("0912%07d", (number * 7919) % 10000000)
  return wrk.format("POST", "/v1/otp/codes", headers, '{"sender":"30001234","recipient":"' .. recipient .. '","code":"482913"}')
end
