"""`python -m policy_rag`: the command, where its script is not on the path."""

from policy_rag.cli import main

if __name__ == "__main__":
    main()
