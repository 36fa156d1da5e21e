"""Keeps evaluations in MLflow: beside the index unless a server is named; reads them back; sends them on."""

from policy_rag_eval.tracking.run_page import PAGE, keep_page, kept_page
from policy_rag_eval.tracking.run_record import write_run
from policy_rag_eval.tracking.run_tables import QUESTIONS_TABLE
from policy_rag_eval.tracking.sending import Sent, send
from policy_rag_eval.tracking.stored_runs import Runs, StoredRun
from policy_rag_eval.tracking.stores import (
    ARTIFACTS,
    STORE,
    URI_VARIABLE,
    Store,
    chosen_store,
    local_store,
    reading_store,
    server_store,
)
from policy_rag_eval.tracking.tracker import evaluation_record, experiment_name, keep
from policy_rag_eval.tracking.writer import Kept

__all__ = [
    "ARTIFACTS",
    "PAGE",
    "QUESTIONS_TABLE",
    "STORE",
    "URI_VARIABLE",
    "Kept",
    "Runs",
    "Sent",
    "Store",
    "StoredRun",
    "chosen_store",
    "evaluation_record",
    "experiment_name",
    "keep",
    "keep_page",
    "kept_page",
    "local_store",
    "reading_store",
    "send",
    "server_store",
    "write_run",
]
