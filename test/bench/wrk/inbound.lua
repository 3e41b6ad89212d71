-- Reports texts from phones as a carrier does, each with an id of its own, to the address of the route.
local headers = { ["Content-Type"] = "application/json" }
local run = os.getenv("BENCH_RUN")
local count = 0
math.randomseed(tonumber(run))

function request()
  count = count + 1
  local sender = string.format("+98912%07d", math.random(0, 9999999))
  return wrk.format("POST", nil, headers, string.format(
    '{"from":"%s","to":"30001234","text":"سلام، ساعت کاری شما چیست؟","id":"%s-%d"}', sender, run, count))
end
