"""One module a part of `scripts/bench`; each has `measure()`, which returns figures by their JSON key."""
