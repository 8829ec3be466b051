-- wrk asks for the paths of the file that PATHS names, over and over, and prints one line:
-- requests, microseconds, errors; p50, p99 and the slowest in microseconds.
local requests = {}
local next_request = 0

function init()
    for path in io.lines(os.getenv("PATHS")) do
        requests[#requests + 1] = wrk.format("GET", path)
    end
end

function request()
    next_request = next_request % #requests + 1
    return requests[next_request]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("result %d %d %d %d %d %d\n", summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99), latency.max))
end
