-- swarm.lua: a swarm that flies, in three dimensions: much alignment and cohesion, little room.
-- It drifts about its home, and streams at a target that it sees.

local radius = 4    -- m

local function swarm(lead)
  return bt.blend {
    by = "weight",
    lead,
    bt.separation { radius = 2.5, weight = 1.6 },
    bt.alignment { radius = radius, weight = 1.0 },
    bt.cohesion { radius = radius, weight = 0.8 },
  }
end

return bt.tree("swarm", bt.reactive_selector {
  bt.guard { when = bt.sees_target {}, bt.mode { name = "stream", swarm(bt.pursue { stop = 0 }) } },
  bt.guard { when = bt.invert { bt.in_range { of = "home", below = 20 } },
    bt.mode { name = "return", swarm(bt.seek { to = "home" }) } },
  bt.mode { name = "drift", swarm(bt.wander { tau = 2, sigma = 0.6 }) },
})
