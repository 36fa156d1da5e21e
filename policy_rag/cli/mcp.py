"""`policy-rag mcp`: the index for an assistant of this machine's one user, over standard input and output."""

from policy_rag.cli import options as opt


def mcp(
    groups: opt.GroupsOption = None,
    *,
    llm: opt.LLMOption = None,
    common: opt.CommonOptions,
) -> None:
    """Serve the index over MCP to the program that starts this one.

    It speaks MCP over standard input and output.
    """
    with opt.service_installed():
        from policy_rag.server.mcp.tools import OwnPolicies, mcp_server

    with common.open({"llm": llm}) as assistant:
        own = OwnPolicies(assistant, tuple(groups or ()))
        mcp_server(lambda _: own).run("stdio")
