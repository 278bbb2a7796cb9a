"""The command line: parse, call, print. Heavy rooms are imported inside the commands that need them."""
