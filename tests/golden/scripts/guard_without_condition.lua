return bt.tree("guard", bt.guard { bt.patrol {} })
