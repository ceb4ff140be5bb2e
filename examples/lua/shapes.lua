-- shapes.lua: a squad advances on its target in the shape that it is named after, and stands in a ring if no shape has its name.

local shapes = { "line", "column", "wedge", "box", "arc", "two_rings" }
local marches = {}
for _, shape in ipairs(shapes) do
  marches[#marches + 1] = bt.guard {
    when = bt.condition { test = function(self) return self.squad == shape end },
    bt.formation { shape = shape, spacing = 2, radius = 8, hold = true, turn_rate = 45 },
  }
end
marches[#marches + 1] = bt.formation { radius = 10, hold = true }

return bt.tree("shapes", bt.selector(marches))
