return bt.wait_random { low = 2, high = 1 }
