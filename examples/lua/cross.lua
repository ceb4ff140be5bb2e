-- cross.lua: walk to the other side, and stand there, each in a place of its own.

return bt.tree("cross", bt.patrol { speed = 4, spread = 1.3, separation = 0 })
