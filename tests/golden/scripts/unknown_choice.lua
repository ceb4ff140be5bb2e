return bt.tree("guard", bt.guard { when = bt.sees_target {}, abort = "bth", bt.patrol {} })
