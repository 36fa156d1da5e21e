"""The page: what people see of the service in a browser."""

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from policy_rag.server.page import administration_pages, asking_pages, document_pages
from policy_rag.server.page.headers import SecureHeaders
from policy_rag.server.page.rendering import STATIC


def install_page(app: FastAPI) -> None:
    """Adds the pages and what they are made of to the application."""
    app.add_middleware(SecureHeaders)
    for part in (asking_pages, document_pages, administration_pages):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=STATIC))
