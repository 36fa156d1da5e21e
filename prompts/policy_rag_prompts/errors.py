"""The one exception base of the project, in the lowest package that raises."""


class PolicyRagError(Exception):
    """Base of every error that this project raises on purpose.

    Its message is one line that says what is wrong and what to do or run next. The command line prints it and exits
    with `exit_status`: 1 when the work failed, 2 when the call or its input is wrong.
    """

    exit_status: int = 1


class UsageError(PolicyRagError):
    """The call or its input is wrong: an unknown option value, a missing file, an empty question."""

    exit_status = 2


class PromptError(PolicyRagError):
    """A prompt template is missing, malformed, or was given other variables than it declares."""
