-- bt.regroup is the game's own node: e06_own_node.rs registers it.
return bt.tree("careful", bt.sequence {
  bt.regroup { within = 2 },
  bt.mode { name = "march", bt.arrive { to = vec3(0, 0, 20) } },
})
