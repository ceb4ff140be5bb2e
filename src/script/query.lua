-- Queries: expressions that scripts make, kept as a list of what Rust is to do, which is checked with each word added.
-- It is run once by the prelude.
local rust, point_of, seal, seal_meta, ID, no_field = ...

local type, setmetatable, getmetatable = rust.type or type, setmetatable, rust.getmetatable or getmetatable
local QUERY, methods, names = {}, {}, {}

local function made(list, ranks)
    rust.query_check(list)
    local query = { nil }
    query[ID] = seal({ list = seal(list), ranks = seal(ranks) })
    return seal(setmetatable(query, QUERY))
end

-- A method called with a dot has no query.
local function content(query, name)
    if type(query) ~= "table" or getmetatable(query) ~= QUERY then
        rust.no_query(name)
    end
    return query[ID]
end

local function copy(list)
    local new = {}
    for at = 1, #list do
        new[at] = list[at]
    end
    return new
end

local function with(query, word, place, amount)
    local known = content(query, word)
    local list = copy(known.list)
    local count = #list
    list[count + 1], list[count + 2], list[count + 3] = word, place, amount
    return made(list, known.ranks)
end

local function placed(word)
    methods[word] = function(query, place, amount)
        if place == nil then
            rust.no_place(word)
        end
        return with(query, word, point_of(place), amount or false)
    end
end
placed("within")
placed("away_from")
placed("near")
placed("far")
placed("visible_from")
placed("hidden_from")

function methods.walkable(query)
    return with(query, "walkable", false, false)
end
function methods.budget(query, units)
    return with(query, "budget", false, units or false)
end

-- All points that are left are ranked by one call of the script's function.
function methods.rank(query, rank, weight)
    local known = content(query, "rank")
    rust.check_rank(rank, weight)
    local ranks = copy(known.ranks)
    ranks[#ranks + 1] = rank
    ranks[#ranks + 1] = weight or 1
    return made(copy(known.list), ranks)
end

local function ask(query, name, most)
    local known = content(query, name)
    local ranks = known.ranks
    local number = rust.gather(known.list)
    for at = 1, #ranks, 2 do
        rust.rank(number, ranks[at](rust.candidates(number)), ranks[at + 1])
    end
    return rust.pick(number, most)
end

function methods.best(query)
    return ask(query, "best", 1)[1]
end
function methods.all(query, most)
    return ask(query, "all", rust.most(most))
end
function methods.count(query)
    return #ask(query, "count", rust.most())
end

for name in rust.pairs(methods) do
    names[#names + 1] = name
end
table.sort(names)

function QUERY.__index(_, name)
    local method = methods[name]
    if method then
        return method
    end
    no_field(name, "a query", names)
end
function QUERY.__newindex()
    rust.no_write()
end
function QUERY.__tostring()
    return "query"
end
seal_meta(QUERY)

return {
    ring = function(around, inner, outer, points)
        return made({ "ring", point_of(around) or false, inner or false, outer or inner or false, points or 64 }, {})
    end,
    grid = function(around, half, spacing)
        return made({ "grid", point_of(around) or false, half or false, spacing or 1, false }, {})
    end,
    points = function(list)
        return made({ "points", list or false, false, false, false }, {})
    end,
}
