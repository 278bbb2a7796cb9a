"""Two formulations, other equations and other steps on the same model: the proof of a run, as a table."""
