"""The parts in other people's frameworks."""
