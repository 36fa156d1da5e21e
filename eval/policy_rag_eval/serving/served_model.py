"""What MLflow runs to make the model: its code is kept as this file, so that nothing is pickled."""

from mlflow.models import set_model

from policy_rag_eval.serving.agent import PolicyAgent

set_model(PolicyAgent())
