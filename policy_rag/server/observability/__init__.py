"""What is seen of the service while it runs: metrics, logs, traces, and who saw what."""
