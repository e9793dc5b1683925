"""Finished replies on disk."""

import stat
import threading
from pathlib import Path

import pytest

from tasks.adapters.llm.reply_store import KeptReply, ReplyStore, content_digest


def _reply(content: str = "{}") -> KeptReply:
    return KeptReply(
        outcome="ok",
        content=content,
        content_sha256=content_digest(content),
        model="m-1",
        input_tokens=40,
        cached_input_tokens=0,
        output_tokens=9,
        estimated=False,
        request_timestamp="2026-01-02T03:04:05+00:00",
        response_id="r-1",
        latency_ms=12,
    )


def test_a_kept_reply_is_found_again_and_is_its_owners_alone(tmp_path: Path):
    store = ReplyStore(tmp_path / "replies")
    assert store.get("10000001", "k") is None
    store.put("10000001", "k", _reply())
    assert ReplyStore(tmp_path / "replies").get("10000001", "k") == _reply()
    path = tmp_path / "replies" / "10000001" / "k.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("kept", [b"", b"{", b"null", b"\xff\xfe", b'{"outcome": "ok"}'])
def test_a_damaged_file_counts_as_absent_and_is_replaced(kept: bytes, tmp_path: Path):
    store = ReplyStore(tmp_path)
    store.put("10000001", "k", _reply())
    (tmp_path / "10000001" / "k.json").write_bytes(kept)
    assert store.get("10000001", "k") is None
    store.put("10000001", "k", _reply())
    assert store.get("10000001", "k") == _reply()


def test_changed_content_counts_as_damage(tmp_path: Path):
    store = ReplyStore(tmp_path)
    store.put("10000001", "k", _reply("a cough"))
    path = tmp_path / "10000001" / "k.json"
    path.write_text(path.read_text().replace("cough", "fever"))
    assert store.get("10000001", "k") is None


def test_a_folder_in_the_place_of_a_file_is_replaced(tmp_path: Path):
    store = ReplyStore(tmp_path)
    (tmp_path / "10000001" / "k.json" / "x").mkdir(parents=True)
    assert store.get("10000001", "k") is None
    store.put("10000001", "k", _reply())
    assert store.get("10000001", "k") == _reply()


def test_threads_with_one_key_take_turns_and_others_do_not_wait(tmp_path: Path):
    store, calls = ReplyStore(tmp_path), list[str]()

    def ask(key: str) -> None:
        with store.exclusively(key):
            if store.get("10000001", key) is None:
                calls.append(key)
                store.put("10000001", key, _reply())

    with store.exclusively("mine"):
        threads = [threading.Thread(target=ask, args=(key,)) for key in ["a", "a", "b", "a"]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(calls) == ["a", "b"]
