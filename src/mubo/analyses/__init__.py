"""The questions that people ask of a model: each answers a Run or a report."""
