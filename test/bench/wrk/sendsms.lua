-- Asks Kannel's sendsms for the same message, with what BENCH_QUERY adds.
local more = os.getenv("BENCH_QUERY") or ""
function request()
  local recipient = string.format("0912%07d", math.random(0, 9999999))
  return wrk.format("GET", "/cgi-bin/sendsms?username=bench&password=password-of-bench&coding=2&charset=UTF-8&to=" .. recipient ..
    "&from=30001234&text=%D8%B3%D9%84%D8%A7%D9%85%D8%8C%20%DA%A9%D8%AF%20%D9%BE%DB%8C%DA%AF%DB%8C%D8%B1%DB%8C%20%D8%B4%D9%85%D8%A7%20%DB%B1%DB%B2%DB%B3%DB%B4%DB%B5%20%D8%A7%D8%B3%D8%AA" .. more)
end
