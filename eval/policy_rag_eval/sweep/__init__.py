"""Many configurations over one data set, every shared stage run once."""
