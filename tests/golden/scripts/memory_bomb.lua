local all = {}
while true do all[#all + 1] = string.rep("x", 100000) end
