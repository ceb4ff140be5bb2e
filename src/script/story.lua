-- Coroutines that leaves are told in: a thread for each stay of a leaf, what it waits for, what steers it meanwhile.
-- It is run once, before the prelude, with the functions that Rust gives both.
local rust = ...

local create, resume, yield, close = coroutine.create, coroutine.resume, coroutine.yield, coroutine.close
local raw_xpcall, rawequal, error, type = rust.xpcall or xpcall, rawequal, error, type
local steer, bearing, traced = rust.steer, rust.bearing, rust.traced
local vec3 = vector.create
local huge = math.huge

-- What a thread of a leaf yields while it waits, with the time before which nothing is to be done, if there is one; and
-- what it returns before its answer. Each call is a step to the meter: what runs in every tick makes few.
local WAIT, ENDED = rust.freeze({}), rust.freeze({})
local SUCCESS, FAILURE, RUNNING, ENDLESS, ASLEEP, NO_THREAD = 1, 2, 3, 4, 4, 5
local WORDS = { "success", "failure", "running", "running" }

-- tale: the one that is being told, if any. tales: number of the stay → tale. clock: the world's, in ns.
local stories = {}
local tales, clock = {}, 0

-- Heading, rate of turn, and where to, of one who roams.
local function course(...)
    local heading, turn, x, y, z = bearing(...)
    return heading, turn, vec3(x, y, z)
end

-- Steering without an end is held: it is followed in each tick of the next wait, and over with it.
local function follow(tale)
    local held = tale.held
    for at = 1, tale.count do
        local rule = held[at]
        if rule.roams then
            rule.heading, rule.turn, rule.point = course(rule.code, rule.heading, rule.turn, rule.a, rule.b, rule.c)
        end
        steer(tale.id, rule.code, rule.point, rule.weight, rule.stop, rule.a, rule.b, rule.c, rule.d)
    end
end

local function hold(tale, rule)
    tale.count = tale.count + 1
    tale.held[tale.count] = rule
    return "running"
end

local function lapse(tale)
    for at = 1, tale.count do
        tale.held[at] = nil
    end
    tale.count = 0
end

-- A steering method within a tale: it lasts until it ends, or is held.
function stories.walk(id, code, roams, point, weight, stop, a, b, c, d)
    local tale = stories.tale
    local heading, turn
    if roams then
        heading, turn, point = course(code, nil, nil, a, b, c)
    end
    local status = steer(id, code, point, weight, stop, a, b, c, d)
    if status == ENDLESS then
        return hold(tale, {
            code = code, point = point, weight = weight, stop = stop, a = a, b = b, c = c, d = d,
            roams = roams, heading = heading, turn = turn,
        })
    end
    if status ~= RUNNING then
        return WORDS[status]
    end
    repeat
        yield(WAIT)
        if tale.count > 0 then
            follow(tale)
        end
        status = steer(id, code, point, weight, stop, a, b, c, d)
    until status ~= RUNNING
    lapse(tale)
    return WORDS[status]
end

function stories.wait(seconds)
    local tale = stories.tale
    if not tale then
        rust.no_story("wait", seconds)
    end
    if seconds == nil then
        yield(WAIT)
        if tale.count > 0 then
            lapse(tale)
        end
        return
    end
    local deadline = rust.deadline(tale.id, "wait", seconds)
    if tale.count == 0 then
        repeat
            yield(WAIT, deadline)
        until clock >= deadline
        return
    end
    yield(WAIT)
    while clock < deadline do
        follow(tale)
        yield(WAIT)
    end
    lapse(tale)
end

function stories.wait_until(test, limit)
    local tale = stories.tale
    if not tale then
        rust.no_story("wait_until")
    end
    if type(test) ~= "function" then
        rust.no_test(test)
    end
    local deadline = huge
    if limit ~= nil then
        deadline = rust.deadline(tale.id, "wait_until", limit)
    end
    if test() then
        return true
    end
    yield(WAIT)
    local came = test()
    while not came and clock < deadline do
        if tale.count > 0 then
            follow(tale)
        end
        yield(WAIT)
        came = test()
    end
    lapse(tale)
    return came and true or false
end

-- A coroutine that a tale makes may wait too: then the whole tale waits.
function stories.passed(thread, ...)
    local ok, mark, deadline = ...
    if ok and rawequal(mark, WAIT) then
        yield(WAIT, deadline)
        return stories.passed(thread, resume(thread))
    end
    return ...
end

local function fault_of(fault)
    return type(fault) == "string" and traced(fault) or fault
end

local function tell(run, agent)
    return ENDED, raw_xpcall(run, fault_of, agent)
end

local function ended(tale, ok, mark, good, answer)
    if not ok then
        error(mark, 0)
    end
    if not rawequal(mark, ENDED) then
        lapse(tale)
        return RUNNING
    end
    if not good then
        error(answer, 0)
    end
    if answer == nil or answer == true or answer == "success" then
        return SUCCESS
    elseif answer == false or answer == "failure" then
        return FAILURE
    end
    return 0, answer
end

function stories.resume(stay, now)
    local tale = tales[stay]
    if not tale then
        return NO_THREAD
    end
    clock, stories.tale = now, tale
    local ok, mark, value, answer = resume(tale.thread)
    stories.tale = nil
    if rawequal(mark, WAIT) then
        return value and ASLEEP or RUNNING, value
    end
    return ended(tale, ok, mark, value, answer)
end

function stories.begin(run, agent, id, stay, now)
    local tale = { thread = create(tell), id = id, held = {}, count = 0 }
    tales[stay] = tale
    clock, stories.tale = now, tale
    local ok, mark, value, answer = resume(tale.thread, run, agent)
    stories.tale = nil
    if rawequal(mark, WAIT) then
        return value and ASLEEP or RUNNING, value
    end
    return ended(tale, ok, mark, value, answer)
end

function stories.forget(stay)
    local tale = tales[stay]
    if tale then
        tales[stay] = nil
        if close then
            close(tale.thread)
        end
    end
end

function stories.forget_all()
    for stay in next, tales do
        stories.forget(stay)
    end
end

return stories
