"""What answers are worth: each configuration between a ceiling (the gold sections given) and a floor (none given)."""
