-- cross.lua: walk to the other side, and stand there, each in a place of its own. Two trees, so that a picture tells them apart.

local function cross(from)
  return bt.tree(from, bt.patrol { mode = from, speed = 4, spread = 1.3, separation = 0 })
end

return { cross "west", cross "east" }
