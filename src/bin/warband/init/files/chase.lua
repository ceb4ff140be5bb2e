-- chase.lua: run at the target, each from its own side.
-- A module: other scripts `require "chase"` and use it as a node, or call it with other parameters.

return bt.subtree {
  name = "chase",
  params = {
    stop = 1.4, -- m from the target's centre
    separation = 1, -- how strongly they keep out of each other's way
  },
  bt.direct_chase { stop = bt.param "stop", separation = bt.param "separation" },
}
