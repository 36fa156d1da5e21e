"""What an ingest did, as tests of access ask for it."""


def seen(assistant, *groups):
    """The documents that a caller of these groups may read."""
    return [d.doc_id for d in assistant.documents(groups=groups)]


def failed(report):
    """The files that could not be taken in, each with its reason."""
    return {s.file: s.reason for s in report.skipped if s.failed}
