"""Which units of a port make the model differ: by trial, with what was learnt kept on disk."""
