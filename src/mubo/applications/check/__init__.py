"""The model checker."""
