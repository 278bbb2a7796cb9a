"""Results in sentences: functions from the facts of a result to lines of text, entries for JSON, and files."""
