return bt.utility_selector { bt.patrol {} }
