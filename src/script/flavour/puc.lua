-- What Lua 5.4 and LuaJIT lack for the prelude, and what of theirs must not reach a script as it comes.
-- It is run before the prelude, in the VM's own environment, with the functions that Rust gives.
local rust = ...

local type, select, error, rawget = type, select, error, rawget
local raw_next, raw_ipairs, raw_pcall, raw_xpcall, raw_getmetatable, raw_setmetatable =
    next, ipairs, pcall, xpcall, getmetatable, setmetatable
local charge, rethrow, is_fault = rust.charge, rust.rethrow, rust.is_fault
local floor = math.floor
local rawlen = rawlen or function(t)
    return #t
end

-- Keys that no script can make: 1 is the mark of a node, 2 to 4 the slots of a handle.
local HIDDEN = {}
for _, key in raw_ipairs(rust.hidden) do
    HIDDEN[key] = true
end
local X, Y, Z, BODY, CONTENT, PRIVATE =
    rust.hidden[5], rust.hidden[6], rust.hidden[7], rust.hidden[8], rust.hidden[9], rust.hidden[10]

local function is_private(t)
    local meta = raw_getmetatable(t)
    return type(meta) == "table" and rawget(meta, PRIVATE)
end
local function content(t)
    return type(t) == "table" and rawget(t, CONTENT) or t
end
local function refuse()
    error("attempt to modify a readonly table", 2)
end

local function freeze(t)
    return raw_setmetatable({ [CONTENT] = t }, {
        [PRIVATE] = true,
        __index = t,
        __newindex = refuse,
        __len = function()
            return #t
        end,
    })
end

-- Vectors and bodies ----------------------------------------------------------------------------------------

local VEC, BODIES = { [PRIVATE] = true }, {}
local AXES = { x = X, y = Y, z = Z }
local methods

local function make(x, y, z)
    return raw_setmetatable({ [X] = x, [Y] = y, [Z] = z }, VEC)
end
local function is_vector(v)
    return type(v) == "table" and raw_getmetatable(v) == VEC
end
local function kind_of(v)
    local kind = type(v)
    if kind == "table" then
        local meta = raw_getmetatable(v)
        return meta == VEC and "vector" or meta == BODIES and "userdata" or kind
    end
    return kind
end

function VEC.__index(v, name)
    local axis = AXES[name]
    if axis then
        return rawget(v, axis)
    end
    return methods(v, name)
end
VEC.__newindex = refuse
function VEC.__eq(a, b)
    return is_vector(a) and is_vector(b) and a[X] == b[X] and a[Y] == b[Y] and a[Z] == b[Z]
end
function VEC.__unm(v)
    return make(-v[X], -v[Y], -v[Z])
end
function VEC.__tostring(v)
    return ("%.14g, %.14g, %.14g"):format(v[X], v[Y], v[Z])
end

local function no_arithmetic(a, b)
    error("attempt to perform arithmetic on " .. kind_of(a) .. " and " .. kind_of(b), 3)
end
function VEC.__add(a, b)
    if is_vector(a) and is_vector(b) then
        return make(rawget(a, X) + rawget(b, X), rawget(a, Y) + rawget(b, Y), rawget(a, Z) + rawget(b, Z))
    end
    no_arithmetic(a, b)
end
function VEC.__sub(a, b)
    if is_vector(a) and is_vector(b) then
        return make(rawget(a, X) - rawget(b, X), rawget(a, Y) - rawget(b, Y), rawget(a, Z) - rawget(b, Z))
    end
    no_arithmetic(a, b)
end
function VEC.__mul(a, b)
    if type(b) == "number" then
        return make(a[X] * b, a[Y] * b, a[Z] * b)
    elseif type(a) == "number" then
        return make(a * b[X], a * b[Y], a * b[Z])
    elseif is_vector(a) and is_vector(b) then
        return make(a[X] * b[X], a[Y] * b[Y], a[Z] * b[Z])
    end
    no_arithmetic(a, b)
end
function VEC.__div(a, b)
    if type(b) == "number" then
        return make(a[X] / b, a[Y] / b, a[Z] / b)
    elseif type(a) == "number" then
        return make(a / b[X], a / b[Y], a / b[Z])
    elseif is_vector(a) and is_vector(b) then
        return make(a[X] / b[X], a[Y] / b[Y], a[Z] / b[Z])
    end
    no_arithmetic(a, b)
end

local function coordinate(value, at, name)
    if type(value) ~= "number" then
        local got = value == nil and "no value" or kind_of(value)
        error(("bad argument #%d to '%s' (number expected, got %s)"):format(at, name, got), 3)
    end
    return value + 0.0
end
local function sure(v, at, name)
    if not is_vector(v) then
        local got = v == nil and "no value" or kind_of(v)
        error(("bad argument #%d to '%s' (vector expected, got %s)"):format(at, name, got), 3)
    end
    return v
end

vector = { zero = make(0.0, 0.0, 0.0), one = make(1.0, 1.0, 1.0) }
function vector.create(x, y, z)
    return make(coordinate(x, 1, "create"), coordinate(y, 2, "create"), z == nil and 0.0 or coordinate(z, 3, "create"))
end
function vector.magnitude(v)
    sure(v, 1, "magnitude")
    return (v[X] * v[X] + v[Y] * v[Y] + v[Z] * v[Z]) ^ 0.5
end
function vector.dot(a, b)
    sure(a, 1, "dot")
    sure(b, 2, "dot")
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z]
end
function vector.cross(a, b)
    sure(a, 1, "cross")
    sure(b, 2, "cross")
    return make(a[Y] * b[Z] - a[Z] * b[Y], a[Z] * b[X] - a[X] * b[Z], a[X] * b[Y] - a[Y] * b[X])
end
function vector.normalize(v)
    return v / vector.magnitude(v)
end

-- Bodies are made once each, so that one is the same key wherever it comes from.
local bodies = raw_setmetatable({}, { __mode = "v" })
local function body(id)
    local known = bodies[id]
    if not known then
        known = raw_setmetatable({ [BODY] = id }, BODIES)
        bodies[id] = known
    end
    return known
end

local function kinds(vectors, of_bodies)
    methods = vectors.__index
    for name, call in raw_next, of_bodies do
        BODIES[name] = call
    end
    BODIES[PRIVATE] = true
    BODIES.__newindex = refuse
end

-- Order: the hash of a name is another one in each process ---------------------------------------------------

local RANK = { number = 1, string = 2, boolean = 3, table = 6 }
local sort = table.sort

local function rank_of(key)
    local kind = kind_of(key)
    return kind == "userdata" and 4 or kind == "vector" and 5 or RANK[kind] or 7
end
local function before(a, b)
    local rank, other = rank_of(a), rank_of(b)
    if rank ~= other then
        return rank < other
    elseif rank <= 2 then
        return a < b
    elseif rank == 3 then
        return a and not b
    elseif rank == 4 then
        return (rawget(a, BODY) or 0) < (rawget(b, BODY) or 0)
    elseif rank == 5 then
        for _, axis in raw_ipairs({ X, Y, Z }) do
            if a[axis] ~= b[axis] then
                return a[axis] < b[axis]
            end
        end
    end
    return false
end

local function sorted_keys(t)
    local keys, count, first, mixed = {}, 0, nil, false
    for key in raw_next, t do
        if not HIDDEN[key] then
            count = count + 1
            keys[count] = key
            local kind = type(key)
            first = first or kind
            mixed = mixed or kind ~= first
        end
    end
    charge(count * 16)
    if mixed or first ~= "number" and first ~= "string" then
        sort(keys, before)
    else
        sort(keys)
    end
    return keys, count
end

local function sure_table(t, name)
    if type(t) ~= "table" then
        local got = t == nil and "nil" or type(t)
        error(("bad argument #1 to '%s' (table expected, got %s)"):format(name, got), 3)
    end
    return content(t)
end

function pairs(t)
    t = sure_table(t, "pairs")
    local keys, at = sorted_keys(t), 0
    return function()
        while true do
            at = at + 1
            local key = keys[at]
            if key == nil then
                return nil
            end
            local value = rawget(t, key)
            if value ~= nil then
                return key, value
            end
        end
    end, t, nil
end

-- The walk that goes on: the table, its keys, and which one was last.
local walked = raw_setmetatable({}, { __mode = "k" })
function next(t, key)
    t = sure_table(t, "next")
    local walk = walked[t]
    if key == nil then
        if raw_next(t) == nil then
            return nil
        end
        walk = { keys = sorted_keys(t), at = 0 }
        walked = raw_setmetatable({ [t] = walk }, { __mode = "k" })
    elseif not walk or walk.keys[walk.at] ~= key then
        walk = { keys = sorted_keys(t), at = 0 }
        repeat
            walk.at = walk.at + 1
            local known = walk.keys[walk.at]
            if known == nil then
                error("invalid key to 'next'", 2)
            end
        until known == key
        walked = raw_setmetatable({ [t] = walk }, { __mode = "k" })
    end
    while true do
        walk.at = walk.at + 1
        local found = walk.keys[walk.at]
        if found == nil then
            return nil
        end
        local value = rawget(t, found)
        if value ~= nil then
            return found, value
        end
    end
end

function ipairs(t, ...)
    return raw_ipairs(content(t), ...)
end

-- What must not outlive the budget --------------------------------------------------------------------------

local function settle(ok, ...)
    if not ok then
        rethrow()
    end
    return ok, ...
end
function pcall(...)
    return settle(raw_pcall(...))
end

local function handled(ok, ...)
    if not ok then
        rethrow()
    end
    return false, ...
end
local function finished(handler, ok, ...)
    if ok then
        return true, ...
    end
    rethrow()
    -- The library would call it where the fault is, without a hook.
    return handled(raw_pcall(handler, ...))
end
function xpcall(call, handler, ...)
    return finished(handler, raw_pcall(call, ...))
end

local raw_resume, raw_status = coroutine.resume, coroutine.status
function coroutine.resume(...)
    return settle(raw_resume(...))
end
coroutine.close = coroutine.close or function(thread)
    local status = raw_status(thread)
    if status ~= "suspended" and status ~= "dead" then
        error("cannot close a " .. status .. " coroutine", 2)
    end
    return true
end
coroutine.running, coroutine.isyieldable = coroutine.running, coroutine.isyieldable or function()
    return select(2, coroutine.running()) == false
end

-- What must not be changed ----------------------------------------------------------------------------------

function getmetatable(value)
    if type(value) ~= "table" then
        return false
    end
    local meta = raw_getmetatable(value)
    if type(meta) == "table" and rawget(meta, PRIVATE) then
        return false
    end
    return meta
end
function setmetatable(t, meta)
    if type(t) == "table" and is_private(t) then
        error("cannot change a protected metatable", 2)
    end
    if type(meta) == "table" and (rawget(meta, "__gc") ~= nil or rawget(meta, "__close") ~= nil) then
        error("metatables have no '__gc' and no '__close' here", 2)
    end
    return raw_setmetatable(t, meta)
end
local function writable(t, name)
    if type(t) ~= "table" then
        error(("bad argument #1 to '%s' (table expected, got %s)"):format(name, t == nil and "no value" or type(t)), 3)
    elseif is_private(t) then
        error("attempt to modify a readonly table", 3)
    end
end
local raw_rawset = rawset
function rawset(t, key, value)
    writable(t, "rawset")
    return raw_rawset(t, key, value)
end

-- Library functions: none runs long without a count ---------------------------------------------------------

local raw_concat, raw_unpack, raw_sort = table.concat, table.unpack or unpack, table.sort

function table.insert(t, ...)
    writable(t, "insert")
    local size, count = rawlen(t), select("#", ...)
    if count == 1 then
        t[size + 1] = (...)
        return
    elseif count ~= 2 then
        error("wrong number of arguments to 'insert'", 2)
    end
    local at, value = ...
    if type(at) ~= "number" or at < 1 or at > size + 1 or at ~= floor(at) then
        error("bad argument #2 to 'insert' (position out of bounds)", 2)
    end
    for index = size, at, -1 do
        t[index + 1] = t[index]
    end
    t[at] = value
end
function table.remove(t, at)
    writable(t, "remove")
    local size = rawlen(t)
    if at == nil then
        local last = t[size]
        t[size] = nil
        return last
    end
    if type(at) ~= "number" or at ~= floor(at) or size > 0 and (at < 1 or at > size + 1) then
        error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
    local value = t[at]
    for index = at, size - 1 do
        t[index] = t[index + 1]
    end
    if at <= size then
        t[size] = nil
    end
    return value
end
function table.sort(t, ...)
    writable(t, "sort")
    return raw_sort(t, ...)
end
function table.concat(t, separator, from, to)
    t = content(t)
    return raw_concat(t, separator, from or 1, to or (type(t) == "table" and rawlen(t) or 0))
end
function table.unpack(t, from, to)
    t = content(t)
    return raw_unpack(t, from or 1, to or (type(t) == "table" and rawlen(t) or 0))
end
unpack = table.unpack
table.pack = table.pack or function(...)
    return { n = select("#", ...), ... }
end
function table.move(from, first, last, at, to)
    to = to or from
    writable(to, "move")
    from = content(from)
    local step, begin, finish = 1, first, last
    if at > first and to == from then
        step, begin, finish = -1, last, first
    end
    for index = begin, finish, step do
        to[at + index - first] = from[index]
    end
    return to
end
function table.create(count, value)
    charge(count * 16)
    local t = {}
    for index = 1, value ~= nil and count or 0 do
        t[index] = value
    end
    return t
end
function table.find(t, value, from)
    for index = from or 1, rawlen(content(t)) do
        if t[index] == value then
            return index
        end
    end
    return nil
end
function table.clear(t)
    writable(t, "clear")
    for key in raw_next, t do
        if not HIDDEN[key] then
            t[key] = nil
        end
    end
end
function table.clone(t)
    local copy = {}
    for key, value in raw_next, sure_table(t, "clone") do
        if not HIDDEN[key] then
            copy[key] = value
        end
    end
    return copy
end
table.freeze, table.isfrozen, table.foreach, table.foreachi, table.getn, table.maxn = nil, nil, nil, nil, nil, nil

local raw_rep, raw_find, sub = string.rep, string.find, string.sub
function string.rep(text, count, separator)
    if type(text) == "string" and type(count) == "number" and count > 0 then
        local bytes = count * (#text + (type(separator) == "string" and #separator or 0))
        -- What is larger is refused by the memory limit, or counted as what it took.
        charge(bytes <= 2 ^ 28 and bytes or 0)
        if #text == 0 and (separator == nil or separator == "") then
            return ""
        end
    end
    return raw_rep(text, count, separator)
end

local match = rust.match
-- A place as scripts give it, as one from 0.
local function start_of(text, from)
    from = from or 1
    if from < 0 then
        from = #text + from + 1
        return from < 1 and 0 or from - 1
    end
    return from < 1 and 0 or from - 1
end
local function texts(text, pattern, name)
    for at, value in raw_ipairs({ text, pattern }) do
        if type(value) ~= "string" and type(value) ~= "number" then
            error(("bad argument #%d to '%s' (string expected, got %s)"):format(at, name, type(value)), 3)
        end
    end
    if text == nil or pattern == nil then
        error(("bad argument #%d to '%s' (string expected, got no value)"):format(text == nil and 1 or 2, name), 3)
    end
    return text .. "", pattern .. ""
end
local function found(start, ...)
    if start == nil then
        return nil
    end
    return start, ...
end
function string.find(text, pattern, from, plain)
    text, pattern = texts(text, pattern, "find")
    local start = start_of(text, from)
    if start > #text then
        return nil
    end
    if plain or not raw_find(pattern, "[%^%$%*%+%?%.%(%[%%%-]") then
        return raw_find(text, pattern, start + 1, true)
    end
    return found(match(text, pattern, start))
end
local function captured(text, start, stop, ...)
    if start == nil then
        return nil
    elseif select("#", ...) == 0 then
        return sub(text, start, stop)
    end
    return ...
end
function string.match(text, pattern, from)
    text, pattern = texts(text, pattern, "match")
    local start = start_of(text, from)
    if start > #text then
        return nil
    end
    return captured(text, match(text, pattern, start))
end
function string.gmatch(text, pattern)
    text, pattern = texts(text, pattern, "gmatch")
    local at, last = 0, nil
    local function on(start, stop, ...)
        if start == nil then
            at = #text + 1
            return nil
        end
        at, last = stop, stop
        return captured(text, start, stop, ...)
    end
    return function()
        if at > #text then
            return nil
        end
        return on(match(text, pattern, at, last))
    end
end

-- `%1` and its kin in what is put in place of a match.
local function filled(template, text, start, stop, ...)
    local captures = { ... }
    local count = select("#", ...)
    local pieces, at = {}, 1
    while true do
        local percent = raw_find(template, "%", at, true)
        if not percent then
            break
        end
        pieces[#pieces + 1] = sub(template, at, percent - 1)
        local sign = sub(template, percent + 1, percent + 1)
        local number = tonumber(sign)
        if sign == "%" then
            pieces[#pieces + 1] = "%"
        elseif number == 0 or number == 1 and count == 0 then
            pieces[#pieces + 1] = sub(text, start, stop)
        elseif number and number <= count then
            pieces[#pieces + 1] = captures[number] .. ""
        elseif number then
            error("invalid capture index %" .. sign .. " in replacement string", 4)
        else
            error("invalid use of '%' in replacement string", 4)
        end
        at = percent + 2
    end
    pieces[#pieces + 1] = sub(template, at)
    return raw_concat(pieces)
end
local function replacement(with, text, start, stop, ...)
    local kind, value = type(with), nil
    if kind == "string" or kind == "number" then
        value = filled(with .. "", text, start, stop, ...)
    elseif kind == "table" then
        value = with[(captured(text, start, stop, ...))]
    else
        value = with(captured(text, start, stop, ...))
    end
    if not value then
        return sub(text, start, stop)
    elseif type(value) ~= "string" and type(value) ~= "number" then
        error("invalid replacement value (a " .. type(value) .. ")", 4)
    end
    return value
end
function string.gsub(text, pattern, with, most)
    text, pattern = texts(text, pattern, "gsub")
    local kind = type(with)
    if kind ~= "string" and kind ~= "number" and kind ~= "table" and kind ~= "function" then
        error("bad argument #3 to 'gsub' (string/function/table expected, got " .. kind .. ")", 2)
    end
    local pieces, at, last, count = {}, 0, nil, 0
    local function put(start, stop, ...)
        if start == nil then
            return false
        end
        count = count + 1
        pieces[#pieces + 1] = sub(text, at + 1, start - 1)
        pieces[#pieces + 1] = replacement(with, text, start, stop, ...)
        at, last = stop, stop
        return true
    end
    while at <= #text and (not most or count < most) and put(match(text, pattern, at, last)) do
        if sub(pattern, 1, 1) == "^" then
            break
        end
    end
    pieces[#pieces + 1] = sub(text, at + 1)
    return raw_concat(pieces), count
end
function string.split(text, separator)
    separator = separator or ","
    local pieces, at = {}, 1
    if separator == "" then
        for each = 1, #text do
            pieces[each] = sub(text, each, each)
        end
        return pieces
    end
    while true do
        local start, stop = raw_find(text, separator, at, true)
        if not start then
            pieces[#pieces + 1] = sub(text, at)
            return pieces
        end
        pieces[#pieces + 1] = sub(text, at, start - 1)
        at = stop + 1
    end
end
string.dump = nil

function math.clamp(x, low, high)
    if low > high then
        error("bad argument #3 to 'clamp' (max must be greater than or equal to min)", 2)
    end
    return x < low and low or x > high and high or x
end
function math.sign(x)
    return x > 0 and 1 or x < 0 and -1 or 0
end
function math.round(x)
    return x < 0 and -floor(0.5 - x) or floor(x + 0.5)
end

-- For the prelude -------------------------------------------------------------------------------------------

function typeof(value)
    if type(value) == "userdata" and is_fault(value) then
        return "error"
    end
    return kind_of(value)
end
_G.rawlen, _G.type = rawlen, kind_of
rust.type, rust.getmetatable, rust.xpcall = type, raw_getmetatable, raw_xpcall

return { vector = make, body = body, freeze = freeze, kinds = kinds }
