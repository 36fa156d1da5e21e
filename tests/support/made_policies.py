"""Small policies as Markdown, for tests that ask them."""


def made_policy(title: str, *sections: tuple[str, str], head: str = "") -> str:
    """A policy of numbered sections, each a heading and its text, behind the lines of its front matter."""
    front = f"---\n{head}\n---\n" if head else ""
    return f"{front}# {title}\n" + "".join(
        f"\n## {n}. {name}\n\n{text}\n" for n, (name, text) in enumerate(sections, 1)
    )
