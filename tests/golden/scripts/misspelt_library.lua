local far = math.flor(3.5)
return bt.wait { seconds = far }
