return bt.patrol {}
