"""How the service runs: where it listens, where it keeps what is its own, and who is let in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.library import DEFAULT_FOLDER
from policy_rag.llm.addresses import is_loopback
from policy_rag.server.experiments import Experiment


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcOptions:
    """With which issuer people sign in, and what becomes of what it says.

    Attributes:
        issuer: its address, as it names itself.
        client_id: what it knows this service as.
        client_secret: the secret that goes with it, or None for a public client; never shown.
        groups_claim: the claim that lists somebody's groups; dots lead into objects.
        groups: the issuer's name of a group to ours; others are then ignored. With none, names are taken as they are.
        admin_group: whose members are administrators, by our name, or None.

    Raises:
        UsageError: the issuer's address is none, or not https.
    """

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    groups_claim: str = "groups"
    groups: Mapping[str, str] = field(default_factory=dict)
    admin_group: str | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.issuer)
        if not parts.hostname or (parts.scheme != "https" and not is_loopback(parts.hostname)):
            raise UsageError(f"--oidc-issuer {self.issuer}: give an address that begins with https://")


def read_group_names(given: Sequence[str]) -> dict[str, str]:
    """Pairs `ISSUER_GROUP=GROUP` as they are typed.

    Raises:
        UsageError: one is none.

    >>> read_group_names(["/Staff/HR=hr"])
    {'/Staff/HR': 'hr'}
    """
    pairs = [text.rpartition("=") for text in given]
    for text, (theirs, _, ours) in zip(given, pairs, strict=True):
        if not theirs.strip() or not ours.strip():
            raise UsageError(f"--oidc-group {text}: write ISSUER_GROUP=GROUP")
    return {theirs.strip(): ours.strip() for theirs, _, ours in pairs}


LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """What `policy-rag serve` was called with.

    Attributes:
        state: folder of what the service keeps for itself: keys, sessions, questions, feedback, jobs; with a database
            of what this machine keeps beside it: the audit.
        database: of an index in Postgres, which keeps it for the services of many machines; None: the folder does.
        host: the address to listen on.
        port: from 1 to 65535.
        no_auth: whether everybody who reaches it is let in, as an administrator who is in no group; on loopback alone.
        log_questions: whether logs, traces and the audit hold what was asked.
        public_url: where browsers reach it, without a path; by default where it listens.
        rate: requests that a caller may send in a minute; 0: any number. Without authentication there is no limit.
        request_megabytes: most of one request.
        upload_megabytes: most of one upload.
        keep_days: for which the log keeps a question, with its answer and feedback; 0: for ever.
        folders: of this machine, that administrators may have taken in.
        oidc: with which issuer people sign in, or None.
        trusted_proxies: addresses and networks of proxies that say who is asking; none are believed unless set.
        user_header: in which they do.
        groups_header: in which they say who is in which groups.
        admin_group: whose members are administrators, where a proxy says so.
        experiment: configurations that are served by share of users, or None.
        review: a question set or disputed verdicts that administrators review at `/review`, or None.

    Raises:
        UsageError: everybody is to be let in from other machines, or besides others; an address is none.
    """

    state: Path
    database: PostgresAddress | None = None
    host: str = "127.0.0.1"
    port: int = 8765
    no_auth: bool = False
    log_questions: bool = False
    public_url: str = ""
    rate: int = 240
    request_megabytes: int = 1
    upload_megabytes: int = 256
    keep_days: int = 365
    folders: tuple[Path, ...] = ()
    oidc: OidcOptions | None = None
    trusted_proxies: tuple[str, ...] = ()
    user_header: str = "X-Forwarded-User"
    groups_header: str = "X-Forwarded-Groups"
    admin_group: str | None = None
    experiment: Experiment | None = None
    review: Path | None = None

    def __post_init__(self) -> None:
        if self.no_auth and self.host not in LOOPBACK:
            raise UsageError(
                f"--no-auth lets everybody in, so it is for this machine alone: leave --host {self.host} out, "
                "or make keys with `policy-rag keys add NAME` and leave --no-auth out"
            )
        if self.no_auth and (self.oidc or self.trusted_proxies):
            raise UsageError("--no-auth lets everybody in: leave it out where people sign in or a proxy names them")
        parts = urlsplit(self.public_url)
        if self.public_url and (parts.scheme not in {"http", "https"} or not parts.netloc or parts.path.strip("/")):
            raise UsageError(f"--public-url {self.public_url}: give scheme and host, as in https://policies.example")
        shown = f"[{self.host}]" if ":" in self.host else self.host
        object.__setattr__(self, "public_url", self.public_url.rstrip("/") or f"http://{shown}:{self.port}")
        if self.no_auth:
            object.__setattr__(self, "rate", 0)


def state_beside(index: IndexPlace) -> Path:
    """The folder of a service on this index unless told otherwise: beside it, so that it outlives it.

    Of an index in Postgres it is where the service is started.

    >>> state_beside(Path("data/.policy_rag"))
    PosixPath('data/.policy_rag_service')
    """
    index = index if isinstance(index, Path) else Path(DEFAULT_FOLDER)
    return index.with_name(index.name + "_service")


def state_place(index: IndexPlace, folder: Path | None) -> IndexPlace:
    """Where the state of a service on this index is kept: in its database, or in a folder, which may be given.

    >>> str(state_place(PostgresAddress("postgresql://db.example/policies"), None))
    'postgresql://db.example/policies'
    """
    return index if folder is None and isinstance(index, PostgresAddress) else folder or state_beside(index)
