"""The service's log: a line of JSON an event, on standard error, with what other libraries log in the same form."""

import logging
import sys
from typing import Any

import structlog

NAME = "policy_rag.server"

_SHARED: tuple[Any, ...] = (
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
)


def event_log() -> structlog.stdlib.BoundLogger:
    """Where events of the service are told: `log.info("question", outcome="answered")`."""
    logger: structlog.stdlib.BoundLogger = structlog.wrap_logger(
        logging.getLogger(NAME),
        wrapper_class=structlog.stdlib.BoundLogger,
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
    )
    return logger


def log_as_json() -> None:
    """What is logged in this process from now on goes to standard error as JSON: of others' from WARNING on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(NAME).setLevel(logging.INFO)
