local speeds = {}
return bt.tree("guard", bt.patrol { speed = speeds.fast.walk })
