"""Elements of planar mechanisms: joints, couplings, drivers."""
