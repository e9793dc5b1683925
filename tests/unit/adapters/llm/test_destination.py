from __future__ import annotations

from collections.abc import Iterable

import pytest

from tasks.adapters.llm.destination import (
    Destination,
    check_destination,
    refuse_moved,
    resolve_host,
)
from tasks.contracts.build import DataClass
from tasks.contracts.errors import ProviderUnavailable, SettingError

_NAMES = {
    "gpu.lab.example": ("10.1.2.3",),
    "vllm": ("172.18.0.4", "fd00::4"),
    "split.example": ("10.1.2.3", "93.184.216.34"),
    "api.example.com": ("93.184.216.34",),
    "metadata.example": ("169.254.169.254",),
}


def _resolve(name: str) -> Iterable[str]:
    return _NAMES.get(name, ())


def _check(
    url: str, data_class: DataClass = "credentialed", allowed: Iterable[str] = ()
) -> Destination:
    return check_destination(url, data_class, allowed, resolve=_resolve)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:8000/v1", "127.0.0.1"),
        ("http://127.9.8.7/v1", "127.9.8.7"),
        ("http://localhost:11434/v1", "localhost"),
        ("HTTP://LocalHost.:11434/v1", "localhost"),
        ("http://[::1]:8000/v1", "::1"),
        ("http://[0:0:0:0:0:0:0:1]/v1", "::1"),
        ("http://[::ffff:127.0.0.1]/v1", "127.0.0.1"),
        ("http://10.0.0.5/v1", "10.0.0.5"),
        ("http://172.16.0.1/v1", "172.16.0.1"),
        ("http://172.31.255.254/v1", "172.31.255.254"),
        ("https://192.168.7.1/v1", "192.168.7.1"),
        ("http://[fd12:3456::1]/v1", "fd12:3456::1"),
        ("http://gpu.lab.example/v1", "gpu.lab.example"),
        ("http://vllm:8000/v1", "vllm"),
    ],
)
def test_credentialed_data_may_go_to_this_machine_and_private_networks(url: str, host: str) -> None:
    destination = _check(url)
    assert destination.is_local
    assert destination.host == host


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "https://93.184.216.34/v1",
        "http://172.32.0.1/v1",
        "http://11.0.0.1/v1",
        "http://192.169.0.1/v1",
        "http://100.64.0.1/v1",
        "http://169.254.169.254/v1",
        "http://metadata.example/v1",
        "https://[2606:2800::1]/v1",
        "https://[fe80::1]/v1",
        "https://[::ffff:8.8.8.8]/v1",
        "https://[64:ff9b::7f00:1]/v1",
        "https://split.example/v1",
        "https://nowhere.example/v1",
        "https://localhost.example.com/v1",
        "https://127.0.0.1.example.com/v1",
        "https://10.0.0.5.example/v1",
    ],
)
def test_credentialed_data_goes_nowhere_else_unasked(url: str) -> None:
    with pytest.raises(SettingError, match="Nothing was sent"):
        _check(url)


def test_the_refusal_says_what_where_and_how_to_allow() -> None:
    with pytest.raises(SettingError) as error:
        _check("https://api.example.com/v1")
    assert str(error.value) == (
        "base_url: api.example.com is not on this machine or a private network, and the data is "
        "credentialed (MIMIC-IV-Note's agreement forbids passing it to third parties; data "
        "without a class counts as such). Nothing was sent. If you may send it there, allow the "
        "host with --allow-host api.example.com (ANAMNESIS_ALLOW_HOST); if the data is synthetic "
        "or open, say so in a file DATA_CLASS in its folder"
    )


@pytest.mark.parametrize("allowed", ["api.example.com", "API.Example.COM.", " api.example.com "])
def test_an_allowed_host_gets_credentialed_data(allowed: str) -> None:
    destination = _check("https://Api.example.com.:443/v1/", allowed=["other.example", allowed])
    assert destination == Destination("https://Api.example.com.:443/v1", "api.example.com", False)


def test_an_allowed_address_is_compared_as_an_address() -> None:
    url = "https://[2606:2800:0:0::1]/v1"
    assert _check(url, allowed=["[2606:2800::1]"]).host == "2606:2800::1"


def test_allowing_a_host_does_not_allow_its_subdomains() -> None:
    with pytest.raises(SettingError, match="Nothing was sent"):
        _check("https://eu.api.example.com/v1", allowed=["api.example.com", "example.com"])


def test_credentialed_data_never_leaves_unencrypted() -> None:
    with pytest.raises(SettingError, match=r"api\.example\.com is allowed, but http would send"):
        _check("http://api.example.com/v1", allowed=["api.example.com"])


@pytest.mark.parametrize("data_class", ["synthetic", "open"])
def test_other_data_goes_anywhere(data_class: DataClass) -> None:
    destination = _check("http://api.example.com/v1", data_class)
    assert destination == Destination("http://api.example.com/v1", "api.example.com", False)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8000",
        "localhost:8000/v1",
        "ftp://127.0.0.1/v1",
        "file:///etc/passwd",
        "http://",
        "http:///v1",
        "http://user:secret@127.0.0.1/v1",
        "http://127.0.0.1@evil.example/v1",
        "user:secret@evil.example/v1",
        "http://127.0.0.1/v1?key=secret",
        "evil.example/v1?key=secret",
        "http://127.0.0.1/v1#secret",
        "http://127.0.0.1:99999/v1",
        "http://127.0.0.1:port/v1",
        "http://127.0.0.1\\.evil.example/v1",
        "http://127.0.0.1 .evil.example/v1",
        "http://127.0.0.1\t.evil.example/v1",
        "http://127.0.0.1\n.evil.example/v1",
        "http://\uff11\uff12\uff17.0.0.1/v1",
        "http://b\u00fccher.example/v1",
        "http://127.1/v1",
        "http://2130706433/v1",
        "http://0x7f000001/v1",
        "http://0x7f.0.0.1/v1",
        "http://0177.0.0.1/v1",
        "http://127.0.0.01/v1",
        "http://127.0.0.1.5/v1",
        "http://127.0.0.1./v1",
        "http://93.184.216.34./v1",
        "http://[::1/v1",
        "http://[::1%25eth0]/v1",
        "http://[v1.a]/v1",
        "http://exa%6dple.com/v1",
        "http://-a.example/v1",
        "http://-/v1",
        "http://a..example/v1",
    ],
)
@pytest.mark.parametrize("data_class", ["synthetic", "credentialed"])
def test_an_address_that_leaves_its_host_open_is_refused(url: str, data_class: DataClass) -> None:
    with pytest.raises(SettingError, match="base_url: ") as error:
        _check(url, data_class, allowed=["evil.example"])
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("url", ["http://0.0.0.0:8000/v1", "http://[::]:8000/v1"])
def test_where_a_server_listens_is_not_where_it_is_reached(url: str) -> None:
    with pytest.raises(SettingError, match="where a server listens"):
        _check(url, "synthetic")


@pytest.mark.parametrize(
    "entry", ["https://api.example.com", "api.example.com:443", "*.example.com", "", "a/b"]
)
def test_an_allowed_host_that_is_no_host_alone_is_refused(entry: str) -> None:
    with pytest.raises(SettingError, match="allow_host: found"):
        _check("https://api.example.com/v1", allowed=[entry])


def test_a_name_that_has_no_address_resolves_to_nothing() -> None:
    assert resolve_host("a" * 64 + ".invalid") == ()


def test_an_address_resolves_to_itself() -> None:
    assert "127.0.0.1" in resolve_host("127.0.0.1")


@pytest.mark.parametrize(
    ("host", "addresses"),
    [
        ("models.internal", ("10.0.0.5",)),
        ("models.internal", ()),
        ("localhost", ("8.8.8.8",)),
        ("10.0.0.5", ("8.8.8.8",)),
    ],
)
def test_a_local_destination_that_stays_where_it_was(host: str, addresses: tuple[str, ...]):
    refuse_moved(Destination(f"http://{host}/v1", host, is_local=True), lambda _: addresses)


@pytest.mark.parametrize("addresses", [("8.8.8.8",), ("10.0.0.5", "8.8.8.8")])
def test_a_local_name_that_leads_elsewhere_later_gets_nothing_more(addresses: tuple[str, ...]):
    local = Destination("http://models.internal/v1", "models.internal", is_local=True)
    with pytest.raises(ProviderUnavailable, match=r"models\.internal was on a private network"):
        refuse_moved(local, lambda _: addresses)
