"""A dynamic oracle for verdicts on loops: runs watched byte by byte, by iteration."""
