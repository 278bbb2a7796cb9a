"""The studio: a mechanism in the browser that is dragged, edited and played; its model file stays the truth."""
