return bt.tree("guard", bt.invert { bt.succeed {}, bt.fail {} })
