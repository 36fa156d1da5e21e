"""Addresses of servers: read as Ollama's own client reads them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ollama._client import _parse_host

from policy_rag.errors import ModelError
from policy_rag.llm.addresses import is_loopback, ollama_url


@given(
    scheme=st.sampled_from(["", "http://", "https://"]),
    host=st.sampled_from(["", "1.2.3.4", "llm.example", "[::1]", "localhost"]),
    port=st.sampled_from(["", ":0", ":80", ":56789"]),
    path=st.sampled_from(["", "/", "/ollama", "/a/b/"]),
)
def test_addresses_are_read_as_by_ollamas_own_client(scheme: str, host: str, port: str, path: str) -> None:
    assume(not scheme or host + port + path)  # a lone "http://" is a host called http to it
    assert ollama_url(scheme + host + port + path) == _parse_host(scheme + host + port + path)


def test_an_address_that_is_none_is_said_so() -> None:
    with pytest.raises(ModelError, match="OLLAMA_HOST='box:port' is no address"):
        ollama_url("box:port")


def test_loopback_is_this_machine_only() -> None:
    here = ["localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "0.0.0.0", "::"]  # noqa: S104
    there = ["llm.example", "localhost.example", "10.0.0.1", "128.0.0.1", "fe80::1%eth0", ""]
    assert [is_loopback(host) for host in here] == [True] * len(here)
    assert [is_loopback(host) for host in there] == [False] * len(there)
