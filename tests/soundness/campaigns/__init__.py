"""Programs that put verdicts on loops to the test of many executions."""
