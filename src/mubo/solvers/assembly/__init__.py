"""Assembly: the first position of a mechanism, its mobility, and the diagnosis of a model that does not close."""
