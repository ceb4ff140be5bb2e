-- two_squads.lua: the hunt of encircle.lua, by squads of one team that tell each other whom they see.
-- Whoever sees the target writes who and where to the team's board; in the next tick the other squad knows it, as
-- news at second hand. The keys forget by themselves, so that old news dies out.

local encircle = require "encircle"

blackboard {
  team = {
    contact = { "entity", ttl = 0.5 },
    contact_at = { "vec3", ttl = 0.5 },
  },
  squad = {
    howls = { "integer", default = 0 },   -- private: no other squad sees it
  },
}

return bt.tree("two_squads", bt.share_target {
  to = "contact", at = "contact_at",
  bt.learn_target { from = "contact", at = "contact_at", encircle },
})
