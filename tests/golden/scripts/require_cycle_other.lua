return require "require_cycle"
