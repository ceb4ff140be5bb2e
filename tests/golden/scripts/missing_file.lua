local patrol = require "patroll"
return bt.tree("guard", patrol)
