return bt.tree("guard", bt.guard { when = bt.wait { seconds = 1 }, bt.patrol {} })
