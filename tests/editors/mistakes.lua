-- Mistakes planted for the checkers of editors, one in each line; this file is run by nobody. To see what they find:
--   warband init ai && cp tests/editors/mistakes.lua ai && cd ai
--   luau-lsp analyze --platform=standard --definitions:@warband=types/warband.d.luau mistakes.lua
--   emmylua_check .              (cargo install emmylua_check)
--   selene mistakes.lua          (cargo install selene)
-- Luau's analyzer (0.710, the old solver, in strict mode) and emmylua_check (0.25.1) find all but those marked "-".
-- Both find nothing in the folder itself, in scripts/ and in examples/lua/, but that bt.regroup is a game's own node.
local a = bt.sequnce { bt.succeed {} } -- a misspelled node
local b = bt.wait { secnds = 2 } -- a misspelled parameter, which is required
local c = bt.mode { name = 5, bt.succeed {} } -- a number for a text
local d = bt.action { tick = function(self) self:say(self.positon) return "success" end } -- an unknown field of self
local e = bt.action { tick = function(self) if self.target then self:say(self.target.distanc) end return "success" end } -- an unknown field of self.target
local f = bt.compare { key = "health", is = "<" } -- a missing parameter
local g = bt.action { tick = function(self) return "succes" end } -- a wrong status word
local h = bt.wait { seconds = "two" } -- a text for a number
local i = bt.seek { to = "tagret" } -- a misspelled place
local j = bt.action { tick = function(self) return self:arive("home") end } -- a misspelled method
local k = bt.compare { key = "health", is = "<<", to = 3 } -- a wrong word
local l = bt.sequence { bt.succeed {}, 5 } -- a number for a node
local m = vec3(1, "x") -- a text for a number
local n = bt.guard { when = "sees_target", bt.succeed {} } -- a text for a condition
local o = bt.sequence { bt.succeed {}, name = "x" } -- - a parameter that the node has not
local p = bt.action { tick = function(self) return self:arrive("home", { tolerence = 2 }) end } -- - an option that the steering rule has not
local q = bt.action { tick = function(self) self.mode = "x" return "success" end } -- - a field that cannot be written
local r = bt.bands { margin = 1, { bellow = 3, bt.succeed {} }, { bt.succeed {} } } -- - a misspelled field of a child
return bt.tree(1, a) -- a number for a name
