"""The clauses of a question as tests compare them."""

from policy_rag_parsers.references.clause_query import clause_queries


def clause_query_keys(question: str) -> tuple[str, ...]:
    return tuple(clause.key for clause in clause_queries(question))
