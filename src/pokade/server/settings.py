"""How a server is set up: by flags, by the environment, by a file, in this order; checked once, in one place."""

import ipaddress
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import ValidationInfo

from pokade.folders import data_folder
from pokade.games.errors import PokadeError
from pokade.server.storage import BadDatabase
from pokade.texts import LANGUAGES, Language

PREFIX: Final = "POKADE_"
CONFIG: Final = "config"  # the setting that names the file
WORKERS_NEED_POSTGRESQL: Final = "workers_need_postgresql"
POSTGRESQL: Final = ("postgresql://", "postgres://")
LARGEST_CONFIG: Final = 1 << 20  # bytes
EXAMPLES: Final = {  # what people are shown when a value is not valid
    "host": "0.0.0.0, 127.0.0.1",
    "port": "7654",
    "db": "sqlite:///house.sqlite, postgresql://pokade@localhost/pokade",
    "workers": "2",
    "trusted_proxy": "127.0.0.1, 10.0.0.0/8",
    "allowed_origin": "https://play.example",
    "public_url": "https://play.example",
    "log_format": "text, json",
    "log_level": "debug, info, warning, error",
    "metrics": "local, everyone",
    "keep_days": "1, 0.5",
    "keep_slow_days": "30",
    "keep_log_days": "90",
    "keep_record_days": "400",
    "warm": "true, false",
    "language": ", ".join(LANGUAGES),
}


@dataclass(frozen=True, slots=True)
class Given:
    """A value and its source: `--port`, `POKADE_PORT`, or `house.toml: port`."""

    value: object
    source: str


class BadSetting(PokadeError):
    """A value that is not valid: which setting, what was given and where, and the kind of trouble."""

    def __init__(self, name: str, given: Given, kind: str) -> None:
        super().__init__(f"{given.source}: {kind}")
        self.name, self.given, self.kind = name, given, kind


class BadConfig(PokadeError):
    """A file of settings that can't be read."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file, self.why = file, why


class UnknownSetting(PokadeError):
    """A file of settings has a key that means nothing."""

    def __init__(self, source: str) -> None:
        super().__init__(f"{source}: there is no such setting")
        self.source = source


def _separate(given: object) -> object:
    """A list may be written with commas, as in the environment."""
    return [part for part in given.replace(",", " ").split() if part] if isinstance(given, str) else given


def _host(given: str) -> str:
    if not given or given != given.strip() or "/" in given:
        raise ValueError("no host")
    return given.removeprefix("[").removesuffix("]")


def _database(given: str) -> str:
    parts = urlsplit(given)
    if given.startswith(POSTGRESQL):
        _ = parts.port  # raises ValueError for what is no number, before anybody repeats parts of a password
    elif given != "sqlite://" and (not given.startswith("sqlite:///") or given == "sqlite:///"):
        raise ValueError("no database")
    return given


def _network(given: str) -> str:
    return str(ipaddress.ip_network(given, strict=False))


def _origin(given: str) -> str:
    """Scheme, host and port as browsers write them."""
    parts = urlsplit(given.strip().lower())
    port = {"http": 80, "https": 443}.get(parts.scheme)
    if port is None or not parts.hostname or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("no origin")
    if parts.username is not None or any(c.isspace() or not c.isprintable() for c in parts.netloc):
        raise ValueError("no origin")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port not in (None, port) else "")


Networks = Annotated[tuple[Annotated[str, AfterValidator(_network)], ...], BeforeValidator(_separate)]
Origins = Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], BeforeValidator(_separate)]


class Settings(BaseModel):
    """Everything that can be set. A name here is a flag (`--log-level`), a variable (`POKADE_LOG_LEVEL`) and a key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: Annotated[str, AfterValidator(_host)] = "0.0.0.0"  # noqa: S104 - friends on the local network are the point
    port: int = Field(7654, ge=0, le=65535)
    db: Annotated[str, AfterValidator(_database)] | None = None  # None: a file in the user's data folder
    workers: int = Field(1, ge=1, le=64)
    trusted_proxy: Networks = ()
    allowed_origin: Origins = ()
    public_url: Annotated[str, AfterValidator(_origin)] | None = None
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    metrics: Literal["local", "everyone"] = "local"
    keep_days: float = Field(1.0, gt=0, le=3650)  # a table that nobody comes back to …
    keep_slow_days: float = Field(30.0, gt=0, le=3650)  # … and one with a day for each decision
    keep_log_days: float = Field(90.0, gt=0, le=3650)  # the log of a table that is over …
    keep_record_days: float = Field(400.0, gt=0, le=3650)  # … and the record of its game
    warm: bool = False  # compile the strong bots of all games in the background
    language: Language | None = None  # None: the terminal's own

    @field_validator("workers")
    @classmethod
    def _share_a_database(cls, workers: int, info: ValidationInfo) -> int:
        """In SQLite one process writes, and the others would not hear of it."""
        if workers > 1 and "db" in info.data and not (info.data["db"] or "").startswith(POSTGRESQL):
            raise PydanticCustomError(WORKERS_NEED_POSTGRESQL, "several workers need PostgreSQL")
        return workers


NAMES: Final = tuple(Settings.model_fields)


def settled(flags: Mapping[str, object], environment: Mapping[str, str]) -> Settings:
    """All settings from where they are given. Raises BadSetting, BadConfig or UnknownSetting."""
    given = dict(_from_environment(environment)) | dict(_from_flags(flags))
    config = given.pop(CONFIG, None)
    if config is not None:
        given = dict(_from_file(str(config.value))) | given
    try:
        return Settings.model_validate({name: one.value for name, one in given.items()})
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        name = str(wrong["loc"][0])
        raise BadSetting(name, given[name], wrong["type"]) from None


def _from_flags(flags: Mapping[str, object]) -> Iterator[tuple[str, Given]]:
    for name, value in flags.items():
        if value is not None:
            yield name, Given(value, f"--{name.replace('_', '-')}")


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Given]]:
    """Only what is set and not empty; other variables that begin like ours are somebody else's business."""
    for name in (*NAMES, CONFIG):
        if value := environment.get(PREFIX + name.upper()):
            yield name, Given(value, PREFIX + name.upper())


def _from_file(path: str) -> Iterator[tuple[str, Given]]:
    for key, value in _read(path).items():
        source, name = f"{path}: {key}", key.replace("-", "_")
        if name not in NAMES:
            raise UnknownSetting(source)
        yield name, Given(value, source)


def _read(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return tomllib.loads(file.read(LARGEST_CONFIG).decode())
    except OSError as error:
        raise BadConfig(path, error.strerror or type(error).__name__) from None
    except UnicodeDecodeError:
        raise BadConfig(path, "not UTF-8") from None
    except ValueError as error:  # TOML that is none, and paths that are none
        raise BadConfig(path, str(error)) from None


def database(settings: Settings) -> str:
    """The address of the database; the folder of the default one is made if it is not there."""
    if settings.db is not None:
        return settings.db
    try:
        folder = data_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadDatabase(f"There is no folder for the database: {error}") from None
    return f"sqlite:///{folder / 'house.sqlite'}"


def origins(settings: Settings) -> Sequence[str]:
    """Pages that may speak: those that were named, and the address that friends are shown."""
    return (*settings.allowed_origin, *([settings.public_url] if settings.public_url else []))
