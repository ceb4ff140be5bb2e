-- patrol.lua: walk the squad's route.
-- After a hunt the wolf takes up the leg on which it was interrupted.

return bt.subtree {
  name = "patrol",
  params = {
    speed = 2,        -- m/s; a stroll, so that there is something left for the hunt
    spread = 1.5,     -- m; how far apart the members walk
    separation = 1,   -- how strongly they keep out of each other's way
  },
  bt.patrol {
    speed = bt.param "speed",
    spread = bt.param "spread",
    separation = bt.param "separation",
  },
}
