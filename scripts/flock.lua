-- flock.lua: many minions chase one player as a flock: they neither overlap, nor shove, nor tremble.
-- Each rule has a weight on the world's board, so that a game (or you, in a running `warband watch`) can turn it:
-- more separation: more room; more cohesion: a tighter flock; more alignment: calmer directions.

local patrol, search = require "patrol", require "search"

blackboard {
  world = {
    separation = { "number", default = 0.42 },  -- article one: 2.5, 1.0 and 0.8 beside a target weight of 1.5,
    alignment = { "number", default = 0.67 },   -- in the units of these rules (see `Forces` in the reference)
    cohesion = { "number", default = 0.4 },
  },
}

local radius = 3    -- m; how far off a minion minds its neighbours
local stop = 1.5    -- m from the player: there the chase ends and nobody pushes on

local chase = bt.mode {
  name = "chase",
  bt.blend {
    by = "weight",
    bt.direct_chase { stop = stop, separation = 0, mode = "chase" },
    bt.separation { radius = radius, weight = bt.key "separation" },
    bt.alignment { radius = radius, weight = bt.key "alignment" },
    bt.cohesion { radius = radius, weight = bt.key "cohesion" },
  },
}

return bt.tree("flock", bt.reactive_selector {
  bt.guard { when = bt.sees_target {}, chase },
  search,
  patrol,
})
