-- formation.lua: a ring round the target, wide first, then narrow.
-- The squad has one ring. It starts at the largest radius that a member asks for and closes in once it is set, so
-- that a target that stands still is reached too.

local function ring(name, radius)
  return bt.subtree {
    name = name,
    params = {
      radius = radius,      -- m
      close_in = true,      -- false: stay on this ring
      hold = false,         -- true: a siege; the ring keeps its radius
      close_rate = 0.5,     -- m/s; faster than 0.55 breaks the ring round a walking target
      close_to = 5,         -- m; from there on everybody is near enough for the direct chase
      set_fraction = 0.75,  -- share of members near their places from which the ring is set
      set_after = 3,        -- s; ... or this long after the first arrived
      refresh = 0.2,        -- s between two looks at who stands where
      blend = 0.7,          -- share of the way to the place in the heading; the rest is the flock's
      reach = 2,            -- m; nearer than this the flock is left out, and one counts as arrived
      stand = 0.5,          -- m; one walks on until this near
      separation = 1.5,     -- the flock on the way
      alignment = 1,
      cohesion = 1,
    },
    bt.formation {
      mode = name,
      radius = bt.param "radius", close_in = bt.param "close_in", hold = bt.param "hold",
      close_rate = bt.param "close_rate", close_to = bt.param "close_to",
      set_fraction = bt.param "set_fraction", set_after = bt.param "set_after",
      refresh = bt.param "refresh", blend = bt.param "blend", reach = bt.param "reach", stand = bt.param "stand",
      separation = bt.param "separation", alignment = bt.param "alignment", cohesion = bt.param "cohesion",
    },
  }
end

return { wide = ring("wide", 12), narrow = ring("narrow", 6) }
