-- encircle.lua: patrol, spot the player, tell the pack, encircle, close in, search, and back to patrol.

local detect, search, patrol = require "detect", require "search", require "patrol"
local formation, direct_chase = require "formation", require "direct_chase"

-- How to hunt depends on the wolf's own distance to where the target is believed to be. The margin keeps it from
-- changing its mind at a border: wide becomes narrow at 10.5 m, and narrow becomes wide again at 13.5 m.
local chase = bt.bands {
  by = "target_distance", margin = 1.5,
  { below = 8, direct_chase },
  { below = 12, formation.narrow },
  { formation.wide },
}

-- Asked from the top in every tick: the first branch that can run does.
return bt.tree("encircle", bt.reactive_selector {
  bt.guard { when = detect, chase },
  search,
  patrol,
})
