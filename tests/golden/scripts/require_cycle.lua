local other = require "require_cycle_other"
return bt.tree("guard", other)
