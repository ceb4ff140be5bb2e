-- guard.lua: guards walk their round and chase whoever they see.
-- Run `warband watch scenario.toml`, change a number here, and save: they act on it in the next tick.

local chase = require "chase"

-- A key of each agent's board. Keys of `squad`, `team` and `world` are shared.
blackboard {
  agent = {
    sightings = { "integer", default = 0 },
  },
}

-- A leaf of our own. `self` is the agent; what a leaf answers says how it went.
local raise_alarm = bt.action {
  enter = function(self) self:set_mode("alarm") end,
  tick = function(self)
    self.board.sightings = self.board.sightings + 1
    self:say("there! sighting " .. self.board.sightings)
    return "success"
  end,
}

-- Asked from the top in every tick: the first branch that can run does.
local root = bt.reactive_selector {
  bt.guard {
    when = bt.sees_target {},
    bt.sequence { raise_alarm, chase { stop = 1.5 } },
  },
  bt.guard {
    when = bt.remembers_target { within = 4 },
    bt.search { radius = 2 },
  },
  bt.patrol { speed = 2 },
}

return bt.tree("guard", root)
