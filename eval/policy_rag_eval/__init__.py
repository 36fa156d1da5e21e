"""Measures how well policies are found and answered: data sets, measures, statistics, runs in MLflow."""
