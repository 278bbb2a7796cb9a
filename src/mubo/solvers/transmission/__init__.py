"""How well a mechanism passes on motion and force: transmission and mechanical advantage."""
