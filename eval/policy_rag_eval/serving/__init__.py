"""The assistant as a model of MLflow: logged with its index, registered, and served by `mlflow models serve`."""
