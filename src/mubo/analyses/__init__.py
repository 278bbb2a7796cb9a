"""Analyses of a model, a file or folder for each verb: each gives a run or a report."""
