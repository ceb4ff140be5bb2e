local tree = bt.sequence { attack }

local attack = bt.wait { seconds = 1 }

return tree
