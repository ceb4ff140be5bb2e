return bt.tree("guard", bt.time_limit { bt.wait { seconds = 1 } })
