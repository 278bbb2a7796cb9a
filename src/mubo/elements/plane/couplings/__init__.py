"""Couplings, one file each: they relate degrees of freedom that joints leave. Users write them as joints."""
