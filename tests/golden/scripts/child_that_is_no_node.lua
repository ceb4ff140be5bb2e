return bt.tree("guard", bt.selector { bt.succeed {}, "patrol" })
