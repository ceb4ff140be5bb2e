-- A behaviour that a designer made, without a line of Rust: who is hurt flees and calls, and whoever hears it comes.

blackboard {
  agent = { health = { "number", default = 100 } },  -- the game writes it
  squad = { help_at = { "vec3", ttl = 1.5 } },       -- where help was called for last; old calls die out
}

local function call_for_help(self)
  self.board.help_at = self.position
  self:command("howl")                               -- the game plays a sound
end

local flee = bt.service {
  interval = 1,
  run = call_for_help,
  bt.action {
    enter = function(self) self:set_mode("flee") end,
    tick = function(self) return self:flee("target") end,
    exit = function(self) self.board.help_at = nil end,  -- well again: nobody need come
  },
}

local help = bt.mode { name = "help", bt.arrive { to = bt.key "help_at" } }

return bt.tree("flee_and_call", bt.reactive_selector {
  bt.guard { when = bt.compare { key = "health", is = "<", to = 30 }, flee },
  bt.guard { when = bt.has_value { key = "help_at" }, help },
  bt.guard { when = bt.sees_target {}, bt.direct_chase {} },
  bt.patrol {},
})
