-- As the script that BENCH_COUNTED names, but BENCH_REQUESTS requests and no more; says so when all are answered.
dofile(os.getenv("BENCH_SCRIPTS") .. "/" .. os.getenv("BENCH_COUNTED"))

local post = request
local connections = tonumber(os.getenv("BENCH_CONNECTIONS"))
-- wrk asks for one request before the first connection, to look at it, and never sends it.
local left = tonumber(os.getenv("BENCH_REQUESTS")) + 1
local done = 0

function request()
  if left > 0 then
    left = left - 1
    return post()
  end
  -- A connection asks for its next request once the last one is answered.
  done = done + 1
  if done == connections then
    io.stdout:write("all answered\n")
    io.stdout:flush()
  end
  return ""
end
