"""Methods on arrays alone: no names, no files, no policy."""
