"""The regression gate: a port held to a stored baseline, within tolerances that have reasons."""
