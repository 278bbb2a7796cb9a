"""Walking: joint angles, moments and powers of a measured motion, its events and cycles."""
