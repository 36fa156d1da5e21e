"""A page inside of a notebook."""

import html


def in_frame(page: str) -> str:
    """A page as HTML that a notebook shows, in a frame of its own: neither changes how the other looks.

    >>> in_frame('<p class="a">')
    '<iframe srcdoc="&lt;p class=&quot;a&quot;&gt;" width="100%" height="820" style="border: 0"></iframe>'
    """
    return f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="820" style="border: 0"></iframe>'
