"""The service: one index for a whole organisation, over HTTP and MCP, and as a page. It needs `policy-rag[serve]`."""
