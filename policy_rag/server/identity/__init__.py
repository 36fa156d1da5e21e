"""Who is asking: API keys, sessions of browsers, sign-in with an OIDC issuer, a trusted proxy."""
