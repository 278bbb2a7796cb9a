"""The verbs, a room each. Every study is a recipe over a mechanism and answers a run or a report."""
