local rests = {}
for at = 1, 17 do
  rests[at] = bt.wait { seconds = at }
end
return bt.random_selector(rests)
