return bt.try_catch { bt.patrol {} }
