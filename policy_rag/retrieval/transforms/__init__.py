"""What can be done to a question before it is searched: one transform a file, chosen by name in `transformer`."""
