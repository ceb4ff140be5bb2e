return bt.tree("guard", bt.set { key = "alarm", to = ture })
