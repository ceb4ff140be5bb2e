return bt.if_then_else { when = bt.sees_target {}, bt.patrol {}, bt.wait { seconds = 1 }, bt.fail {} }
