local secret = require "../../secret"
return bt.tree("guard", secret)
