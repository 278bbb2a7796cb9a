"""Couplings, one file each: they relate freedoms that joints leave. Users write them as joints."""
