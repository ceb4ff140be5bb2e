helath = 3
return bt.tree("guard", bt.patrol {})
