"""The room that a mechanism takes: swept envelopes, clearances and keep-outs."""
