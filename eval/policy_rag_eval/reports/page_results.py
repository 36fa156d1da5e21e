"""Results whose decision page is written to a file and shows itself in a notebook."""

import html
from abc import ABC, abstractmethod
from pathlib import Path

from policy_rag_eval.reports.decision_page import ReportPage, write_page


class PageResults(ABC):
    """What an evaluation found, with a decision page that tells it."""

    __slots__ = ()

    @abstractmethod
    def page(self) -> ReportPage:
        """The decision page, as the command's `--report` writes it."""

    def write(self, file: str | Path) -> Path:
        """Writes the decision page as one HTML file; a folder takes it as `decision.html`.

        Raises:
            PolicyRagError: it cannot be written.
        """
        return write_page(self.page().html(), Path(file))

    def _repr_html_(self) -> str:
        """In a notebook the page shows itself, in a frame of its own: neither changes how the other looks."""
        page = html.escape(self.page().html(), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="820" style="border: 0"></iframe>'
