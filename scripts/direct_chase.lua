-- direct_chase.lua: run at the target, each from its own side.

return bt.subtree {
  name = "direct",
  params = {
    stop = 1.4,       -- m from the target's centre; eight wolves of 0.5 m have room at 1.4
    separation = 1,   -- how strongly they keep out of each other's way
  },
  bt.direct_chase { stop = bt.param "stop", separation = bt.param "separation" },
}
