"""Folders to ingest, and what an ingest did, as tests of access ask for it."""


def written(folder, **texts):
    """Markdown files by their names, `hr__pay` for `hr/pay.md`; the folder, which is made where there is none."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        file = folder / f"{name.replace('__', '/')}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return folder


def seen(assistant, *groups):
    """The documents that a caller of these groups may read."""
    return [d.doc_id for d in assistant.documents(groups=groups)]


def failed(report):
    """The files that could not be taken in, each with its reason."""
    return {s.file: s.reason for s in report.skipped if s.failed}
