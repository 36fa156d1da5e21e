"""Where a browser goes after it signed in: nowhere but to this service."""


def local_path(place: str) -> str:
    """A path of this service, or `/` where an address leads elsewhere.

    >>> local_path("/documents?x=1"), local_path("//elsewhere.example")
    ('/documents?x=1', '/')
    """
    unseen = any(char <= " " or char == "\\" for char in place)
    return place if place.startswith("/") and not place.startswith("//") and not unseen else "/"
