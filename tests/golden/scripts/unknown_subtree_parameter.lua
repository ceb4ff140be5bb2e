local patrol = bt.subtree { name = "patrol", params = { speed = 2 }, bt.patrol { speed = bt.param "speed" } }
return bt.tree("guard", patrol { sped = 3 })
