-- What scripts see of their agent, and the library functions that must not be as they come.
-- It is run once, with the functions that Rust gives it, and answers with what Rust calls.
local rust = ...
-- Where scripts get less to see than is there, the prelude is given what is.
local of_scripts = { getmetatable = getmetatable, type = type }

local type, typeof, select, setmetatable = rust.type or type, typeof, select, setmetatable
local getmetatable = rust.getmetatable or getmetatable
local next, error, raw_pcall, raw_xpcall, raw_tostring = next, error, pcall, xpcall, tostring
local unpack, pack, pairs, ipairs = table.unpack, table.pack, pairs, ipairs
local seal, seal_meta = rust.seal, rust.seal_meta
-- Where an agent's handle keeps its number, its board and its target: out of sight where tables cannot be sealed.
local ID, ITS_TARGET, ITS_BOARD = unpack(rust.slots)

-- Faults that come from Rust are objects; scripts that catch them see their sentence.
-- To catch one takes as long as some 64 steps: it counts as that many.
local charge, CAUGHT = rust.charge, 4096
local function caught(ok, ...)
    if not ok then
        charge(CAUGHT)
        if typeof((...)) == "error" then
            return false, rust.sentence((...))
        end
    end
    return ok, ...
end

local function pcall(...)
    return caught(raw_pcall(...))
end

local function xpcall(call, handler, ...)
    return raw_xpcall(call, function(fault, ...)
        charge(CAUGHT)
        if typeof(fault) == "error" then
            fault = rust.sentence(fault)
        end
        return handler(fault, ...)
    end, ...)
end

-- An address is another one in each run: it must not reach a script.
local ADDRESSED = { table = true, ["function"] = true, thread = true, userdata = true }

local function tostring(value)
    local kind = type(value)
    if ADDRESSED[kind] then
        local meta = getmetatable(value)
        local custom = type(meta) == "table" and meta.__tostring
        if not custom and typeof(value) ~= "error" then
            return kind
        end
    end
    return raw_tostring(value)
end

local raw_format = string.format
local function format(pattern, ...)
    local count = select("#", ...)
    for at = 1, count do
        if ADDRESSED[type((select(at, ...)))] then
            local values = pack(...)
            for each = at, count do
                if ADDRESSED[type(values[each])] then
                    values[each] = tostring(values[each])
                end
            end
            return raw_format(pattern, unpack(values, 1, count))
        end
    end
    return raw_format(pattern, ...)
end

-- Library calls are one step to the meter, however long they take: what they may read is counted here, in bytes.
local SMALL, LARGEST, LONGEST_PATTERN = 256, 1e8, 2000
local function size(value)
    local kind = type(value)
    if kind == "string" then
        return #value
    end
    return kind == "table" and rawlen(value) * 16 or 0
end
local function charged(call)
    return function(...)
        local bytes = size((...))
        if bytes > SMALL then
            charge(bytes)
        end
        return call(...)
    end
end

-- A search compares the sought with each place of the text at the worst.
local function bounded(text, sought)
    local product = size(text) * size(sought)
    if product > LARGEST then
        error("the texts are too long to search", 3)
    end
    charge(size(text) + product / 16)
end
local function search(call, may_be_plain)
    return function(...)
        local text, sought, _, plain = ...
        if size(text) + size(sought) > SMALL then
            bounded(text, sought)
            if type(sought) == "string" and not (may_be_plain and plain) then
                -- `%b` and `%1` read on from each place, without a step.
                local far = #sought <= LONGEST_PATTERN and string.find(sought, "%%[b1-9]")
                if #sought > LONGEST_PATTERN or far and size(text) ^ 2 > LARGEST then
                    error("the texts are too long to search", 2)
                end
            end
        end
        return call(...)
    end
end
-- What makes a long text of short ones is counted by what it makes, before it is made.
local raw_rep, raw_concat = string.rep, table.concat
local function rep(text, count, ...)
    if type(count) == "number" and count > 1 then
        charge(size(text) * count)
    end
    return raw_rep(text, count, ...)
end
local function concat(list, separator, ...)
    local bytes = size(list) + size(list) / 16 * size(separator)
    if type(list) == "table" then
        for _, text in next, list do
            bytes = bytes + size(text)
        end
    end
    if bytes > SMALL then
        -- Its buffer grows by copies.
        charge(bytes * 4)
    end
    return raw_concat(list, separator, ...)
end
local raw_find, raw_split = string.find, string.split
local find = search(raw_find, true)
local function split(text, separator)
    bounded(text, separator or ",")
    return raw_split(text, separator)
end

local function print(...)
    local words = pack(...)
    for at = 1, words.n do
        words[at] = tostring(words[at])
    end
    rust.print(table.concat(words, " "))
end

-- The agent -------------------------------------------------------------------------------------------------

local read, exists, stories = rust.read, rust.exists, rust.stories
local memories, stay_of, recall = rust.memories, rust.stay, rust.recall
local FIELDS, TARGET_FIELDS = rust.fields, rust.target_fields
local AGENT, BOARD, TARGET, VECTOR = {}, {}, {}, {}
local methods = {}

local function no_field(name, what, names)
    rust.no_field(raw_tostring(name), what, names)
end

-- keys: name → number of the key, as far as it was asked for.
local keys = {}
local get, set, find_key = rust.get, rust.set, rust.find_key

function BOARD.__index(board, name)
    local key = keys[name]
    if not key then
        key = find_key(board[ID], name)
        keys[name] = key
    end
    return get(board[ID], key)
end

function BOARD.__newindex(board, name, value)
    local key = keys[name]
    if not key then
        key = find_key(board[ID], name)
        keys[name] = key
    end
    if type(value) == "table" then
        local meta = getmetatable(value)
        if meta == TARGET then
            value = value.entity
        elseif meta == AGENT then
            value = rust.entity(value[ID])
        end
    end
    set(board[ID], key, value)
end

-- Who is called, and how far the target is that its squad is after: false without one.
local current, believes

local TARGET_NAMES = {}
function TARGET.__index(target, name)
    if name == "distance" and believes and target[ID] == current then
        return believes
    end
    local field = TARGET_FIELDS[name]
    if field then
        return read(target[ID], field)
    end
    no_field(name, "a target", TARGET_NAMES)
end

-- What the leaf that is called keeps: Rust takes it over when the call is over.
local function memory_of(id)
    local stay = stay_of(id)
    local memory = memories[stay]
    if not memory then
        memory = recall()
        memories[stay] = memory
    end
    return memory
end

local AGENT_NAMES = { "board", "memory", "target" }
function AGENT.__index(agent, name)
    if name == "target" then
        local known = believes
        if agent[ID] ~= current then
            known = exists(agent[ID])
        end
        return known and agent[ITS_TARGET] or nil
    end
    local field = FIELDS[name]
    if field then
        return read(agent[ID], field)
    end
    if name == "board" then
        return agent[ITS_BOARD]
    end
    local method = methods[name]
    if method then
        return method
    end
    if name == "memory" then
        return memory_of(agent[ID])
    end
    rust.no_field(raw_tostring(name), "an agent", AGENT_NAMES, rust.has_key(agent[ID], name))
end

local function unwritable(_, name)
    rust.unwritable(raw_tostring(name))
end
AGENT.__newindex, TARGET.__newindex = unwritable, unwritable

function AGENT.__eq(a, b)
    return a[ID] == b[ID]
end
function AGENT.__tostring(agent)
    return rust.name(agent[ID])
end
function TARGET.__tostring()
    return "target"
end
function BOARD.__tostring()
    return "board"
end

-- A method called with a dot has no agent.
local function id_of(agent, name)
    if type(agent) ~= "table" or getmetatable(agent) ~= AGENT then
        rust.no_agent(name)
    end
    return agent[ID]
end

-- What a point can be: a vec3, a target, an agent or other body, or a word.
local function point_of(point)
    if type(point) == "table" then
        local meta = getmetatable(point)
        if meta == TARGET then
            return "target"
        elseif meta == AGENT then
            return rust.entity(point[ID])
        end
    end
    return point
end

local STATUS = { "success", "failure", "running", "running" }
local steer, walk = rust.steer, stories.walk
for code, behaviour in pairs(rust.behaviours) do
    local name, params = behaviour.name, behaviour.params
    methods[name] = function(agent, ...)
        local id = id_of(agent, name)
        local point, options = ...
        if not behaviour.point then
            point, options = nil, point
        elseif point == nil and name ~= "wander" then
            -- Nothing said is the target; nothing found is nowhere to go.
            if select("#", ...) > 0 then
                rust.no_point(id, name)
                return "failure"
            end
            point = "target"
        end
        local roams = name == "wander" and point == nil
        if options == nil then
            if stories.tale then
                return walk(id, code, roams, point_of(point))
            end
            return STATUS[steer(id, code, point_of(point))]
        end
        rust.check_options(code, options)
        local given = { nil, nil, nil, nil }
        for at, param in ipairs(params) do
            given[at] = options[param]
        end
        if stories.tale then
            return walk(
                id, code, roams, point_of(point), options.weight, options.stop, given[1], given[2], given[3], given[4]
            )
        end
        return STATUS[steer(id, code, point_of(point), options.weight, options.stop, given[1], given[2], given[3], given[4])]
    end
end

function methods.distance(agent, ...)
    local id, point = id_of(agent, "distance"), (...)
    if point == nil then
        if select("#", ...) > 0 then
            return rust.no_point(id, "distance")
        end
        point = "target"
    end
    return rust.distance(id, point_of(point))
end
function methods.set_mode(agent, name)
    rust.set_mode(id_of(agent, "set_mode"), name)
end
function methods.say(agent, line)
    rust.say(id_of(agent, "say"), tostring(line))
end
function methods.command(agent, name)
    rust.command(id_of(agent, "command"), name)
end
function methods.increment(agent, key, by)
    rust.increment(id_of(agent, "increment"), key, by)
end
function methods.append(agent, key, point)
    rust.append(id_of(agent, "append"), key, point_of(point))
end
function methods.alive(agent)
    return rust.alive(id_of(agent, "alive"))
end

for name in pairs(FIELDS) do
    table.insert(AGENT_NAMES, name)
end
for name in pairs(methods) do
    table.insert(AGENT_NAMES, name)
end
for name in pairs(TARGET_FIELDS) do
    table.insert(TARGET_NAMES, name)
end
table.sort(AGENT_NAMES)
table.sort(TARGET_NAMES)
seal_meta(AGENT)
seal_meta(BOARD)
seal_meta(TARGET)

-- handles: packed id → handle, made once for each agent.
local handles, made = {}, 0
local function handle_of(id)
    local board, target, handle = { nil }, { nil }, { nil, nil }
    board[ID], target[ID], handle[ID] = id, id, id
    handle[ITS_TARGET], handle[ITS_BOARD] = target, board
    seal(setmetatable(board, BOARD))
    seal(setmetatable(target, TARGET))
    handles[id] = seal(setmetatable(handle, AGENT))
    made = made + 1
    return handle
end

-- Calls -----------------------------------------------------------------------------------------------------

local CODES = { success = 1, failure = 2, running = 3, [true] = 1, [false] = 2 }

local entries = {}

-- The commonest answers first: to compare is quicker than to look up.
function entries.tick(call, id, target)
    current, believes = id, target
    local answer = call(handles[id] or handle_of(id))
    if answer == "running" then
        return 3
    elseif answer == "success" then
        return 1
    elseif answer == "failure" then
        return 2
    end
    return CODES[answer] or 0, answer
end

function entries.check(call, id, target)
    current, believes = id, target
    local answer = call(handles[id] or handle_of(id))
    if answer == true then
        return 1
    elseif answer == false then
        return 2
    end
    return 0, answer
end

function entries.enter(call, id, target)
    current, believes = id, target
    call(handles[id] or handle_of(id))
end

local REASONS = { "success", "failure", "aborted" }
function entries.exit(call, id, target, reason)
    current, believes = id, target
    call(handles[id] or handle_of(id), REASONS[reason])
end

local resume_tale, begin_tale = stories.resume, stories.begin
function entries.resume(stay, now, id, target)
    current, believes = id, target
    return resume_tale(stay, now)
end
function entries.begin(call, id, stay, now, target)
    current, believes = id, target
    return begin_tale(call, handles[id] or handle_of(id), id, stay, now)
end

-- A tale that was stopped by a fault is not told any more.
function entries.untell()
    stories.tale = nil
end

function entries.forget(stay)
    memories[stay] = nil
    stories.forget(stay)
end
function entries.forget_all()
    for stay in next, memories do
        memories[stay] = nil
    end
    stories.forget_all()
end

function entries.forget_keys()
    keys = {}
end

function entries.tidy(most)
    if made > most then
        handles, made = {}, 0
    end
end

-- Vectors ---------------------------------------------------------------------------------------------------

local vector_lib = vector
local vectors = {
    length = vector_lib.magnitude,
    dot = vector_lib.dot,
    cross = vector_lib.cross,
}
function vectors.distance(a, b)
    return vector_lib.magnitude(a - b)
end
function vectors.normalize(v)
    local length = vector_lib.magnitude(v)
    return length > 1e-6 and v / length or vector_lib.zero
end
function vectors.flat(v)
    return vector_lib.create(v.x, 0, v.z)
end

local VECTOR_NAMES = { "x", "y", "z" }
for name in pairs(vectors) do
    table.insert(VECTOR_NAMES, name)
end
table.sort(VECTOR_NAMES)
function VECTOR.__index(_, name)
    local method = vectors[name]
    if method then
        return method
    end
    no_field(name, "a vec3", VECTOR_NAMES)
end

-- The environment -------------------------------------------------------------------------------------------

local create, resume, close, passed = coroutine.create, coroutine.resume, coroutine.close, stories.passed
local spare = rust.spare
function coroutine.resume(thread, ...)
    spare()
    return caught(passed(thread, resume(thread, ...)))
end
local function raised(ok, ...)
    if not ok then
        error((...), 0)
    end
    return ...
end
function coroutine.wrap(body)
    local thread = create(body)
    return function(...)
        spare()
        return raised(passed(thread, resume(thread, ...)))
    end
end
function coroutine.close(...)
    spare()
    return caught(close(...))
end
string.match, string.gmatch, string.gsub =
    search(string.match, false), search(string.gmatch, false), search(string.gsub, false)
string.format, string.find, string.split = format, find, split
string.rep, table.concat = rep, concat
for _, name in ipairs({ "byte", "lower", "upper", "reverse", "sub", "unpack" }) do
    string[name] = string[name] and charged(string[name])
end
for name, call in pairs(utf8 or {}) do
    if type(call) == "function" then
        utf8[name] = charged(call)
    end
end
for _, name in ipairs({ "find", "clear", "maxn", "sort", "move", "clone", "foreach", "foreachi" }) do
    table[name] = table[name] and charged(table[name])
end
-- Only those in the middle move what is behind them.
local insert, remove = table.insert, table.remove
local insert_at, remove_at = charged(insert), charged(remove)
function table.insert(...)
    return (select("#", ...) > 2 and insert_at or insert)(...)
end
function table.remove(...)
    return (select("#", ...) > 1 and remove_at or remove)(...)
end
local tonumber = charged(tonumber)
math.random, math.randomseed = rust.random, rust.randomseed
for name, call in pairs(rust.math) do
    math[name] = call
end

rust.pairs = pairs
local query = rust.freeze(rust.queries(rust, point_of, seal, seal_meta, ID, no_field))

local function globals()
    return {
        assert = assert, error = error, getmetatable = of_scripts.getmetatable, ipairs = ipairs, next = next, pairs = pairs,
        pcall = pcall, print = print, rawequal = rawequal, rawget = rawget, rawlen = rawlen, rawset = rawset,
        select = select, setmetatable = setmetatable, tonumber = tonumber, tostring = tostring, type = of_scripts.type,
        typeof = typeof, unpack = table.unpack, xpcall = xpcall, _VERSION = _VERSION,
        bit32 = bit32, coroutine = coroutine, math = math, string = string, table = table,
        utf8 = utf8, vector = vector, vec3 = vector_lib.create,
        bt = rust.bt, blackboard = rust.blackboard, query = query, require = rust.require,
        wait = stories.wait, wait_until = stories.wait_until,
    }
end

return { entries = entries, globals = globals(), vector = VECTOR }
