return bt.sequence { bt.skip_if { bt.patrol {} } }
