"""Decides where data may go, before anything is connected (data-use guard)."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from tasks.contracts.build import DataClass
from tasks.contracts.errors import ProviderUnavailable, SettingError

Resolve = Callable[[str], Iterable[str]]

_LOCAL_NETWORKS = tuple(
    ip_network(network)
    for network in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::1/128",
        "fc00::/7",
    )
)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_NUMBER = re.compile(r"(?:\d+|0x[0-9a-f]*)")


@dataclass(frozen=True)
class Destination:
    """An address that data may be sent to; a local one is reached without any proxy."""

    base_url: str
    host: str
    is_local: bool


def resolve_host(name: str) -> tuple[str, ...]:
    """All addresses of a name; none where it can't be resolved."""
    try:
        found = socket.getaddrinfo(name, None, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        return ()
    return tuple(str(entry[4][0]) for entry in found)


def check_destination(
    base_url: str,
    data_class: DataClass,
    allowed_hosts: Iterable[str],
    resolve: Resolve = resolve_host,
    setting: str = "base_url",
) -> Destination:
    """Where requests go, if data of this class may go there; ``setting`` is named in errors.

    Local are loopback and private addresses and names that have no other address. Credentialed
    data leaves for other hosts only if they are allowed, and never unencrypted. Raises
    SettingError, also for an address that leaves open which host is meant.
    """
    parts = _split(base_url, setting)
    host = _host(parts, setting)
    allowed = {_allowed_host(one) for one in allowed_hosts}
    is_local = _is_local(host, resolve)
    if data_class == "credentialed" and not is_local:
        if host not in allowed:
            raise SettingError(_refusal(host, setting))
        if parts.scheme == "http":
            raise SettingError(
                f"{setting}: {host} is allowed, but http would send credentialed data and the key "
                "unencrypted through other networks, so nothing was sent: use https, or a tunnel "
                "that ends on 127.0.0.1"
            )
    return Destination(base_url=base_url.strip().rstrip("/"), host=host, is_local=is_local)


def refuse_moved(destination: Destination, resolve: Resolve = resolve_host) -> None:
    """Raise ProviderUnavailable where a local name leads elsewhere by now, as when a VPN ends.

    A name without any address is left to the connection, which fails of it.
    """
    host = destination.host
    if not destination.is_local or host == "localhost" or _address(host):
        return
    if any(resolve(host)) and not _is_local(host, resolve):
        raise ProviderUnavailable(
            f"{host} was on a private network when the run began and no longer is, so nothing more "
            "was sent: check the network (VPN, DNS). Finished work is kept, the same command "
            "resumes"
        )


def _split(base_url: str, setting: str) -> SplitResult:
    text = base_url.strip()
    # What the URL's readers could understand differently is refused, so that the host that is
    # checked is the host that is connected.
    if not text.isascii() or not text.isprintable() or re.search(r"[\s\\]", text):
        raise _unusable(
            setting, "it holds blanks, backslashes or letters outside ASCII (write xn--…)"
        )
    if "@" in text:
        raise _unusable(setting, "it holds a user name or password; the key has its own setting")
    if "?" in text or "#" in text:
        raise _unusable(setting, "it holds a query or fragment")
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise _unusable(setting, "its host or port can't be read") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _unusable(setting, f"found {text!r}")
    return parts


def _unusable(setting: str, found: str) -> SettingError:
    return SettingError(
        f"{setting}: {found}; expected http or https, a host and at most a port and a path, such "
        "as http://127.0.0.1:8000/v1"
    )


def _host(parts: SplitResult, setting: str) -> str:
    host = (parts.hostname or "").rstrip(".")
    address = _address(host)
    if address is not None and address.is_unspecified:
        raise _unusable(setting, f"{host} is where a server listens, not where it is reached")
    # An address with a full stop behind it is a name for those who look names up.
    if address is not None and "%" not in host and host == parts.hostname:
        return str(address)
    is_name = (
        address is None and _NAME.fullmatch(host) and not _NUMBER.fullmatch(host.rpartition(".")[2])
    )
    if not is_name or "[" in parts.netloc:
        raise _unusable(setting, f"{host!r} is neither a name nor an IP address in full")
    return host


def _allowed_host(entry: str) -> str:
    host = entry.strip().lower().strip("[]").rstrip(".")
    address = _address(host)
    if address is not None:
        return str(address)
    if not _NAME.fullmatch(host):
        raise SettingError(
            f"allow_host: found {entry!r}; expected a host alone, such as models.example.org, "
            "without scheme, port, path or wildcard"
        )
    return host


def _is_local(host: str, resolve: Resolve) -> bool:
    if host == "localhost":
        return True
    literal = _address(host)
    found = [literal] if literal else [_address(one) for one in resolve(host)]
    return bool(found) and all(one is not None and _in_local_network(one) for one in found)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _in_local_network(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in _LOCAL_NETWORKS)


def _refusal(host: str, setting: str) -> str:
    return (
        f"{setting}: {host} is not on this machine or a private network, and the data is "
        "credentialed (MIMIC-IV-Note's agreement forbids passing it to third parties; data "
        "without a class counts as such). Nothing was sent. If you may send it there, allow the "
        f"host with --allow-host {host} (ANAMNESIS_ALLOW_HOST); if the data is synthetic or open, "
        "say so in a file DATA_CLASS in its folder"
    )
