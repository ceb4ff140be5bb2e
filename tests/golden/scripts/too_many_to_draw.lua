local rests = {}
for at = 1, 65 do
  rests[at] = bt.wait { seconds = at }
end
return bt.weighted_selector(rests)
