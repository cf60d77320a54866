"""A client of Nameglass: platform, batch and passive DNS, with the standard library alone. Python 3.9 and later.

    from nameglass import Client, NameglassError

    names = Client("http://127.0.0.1:8080", key="PASTE_YOUR_KEY")
    account = names.json("/v1/account/")
    for record in names.lines("/pdns/v2/lookup/rrset/name/*.example.com", {"limit": 10}):
        print(record["rrname"], record["rdata"])
    for domain in names.pages("/v1/intel-detect/domains/watched/"):
        print(domain["domain"])

Paths are those of the API description at ``/openapi.json`` of a server. Encode what you put into a path with ``quote``.
"""

from __future__ import annotations

import email.utils
import hashlib
import hmac
import http.client
import json
import math
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

__all__ = ["Client", "NameglassError", "Response", "quote", "signature_of"]
__version__ = "0.1.0"

Query = Mapping[str, Any]
Body = Union[Mapping[str, Any], str, bytes]

_FRAMED = re.compile(r"^/pdns/v2/(?:lookup|summarize|regex|glob|bulk)\b")
_UNFRAMED = re.compile(r"^/(?:pdns/(?:v1|query)|lookup|summarize)/")
_EXCHANGED = re.compile(r"^/(?:pdns/v\d|lookup|summarize)/")
_ONLY_403 = re.compile(r"^/(?:v1/account/?$|batchd/)")
_ITEM_MEMBERS = (
    "results",
    "watchlist_domains",
    "monitors",
    "escalations",
    "changes",
    "decisions",
    "files",
    "values",
    "tags",
    "users",
    "products",
    "own_domains",
    "blocklists",
    "campaigns",
    "members",
)
_CHUNK_BYTES = 65536


class NameglassError(Exception):
    """What a request failed with.

    ``code`` is the same for all three APIs, whose statuses differ: ``invalid``, ``authentication``, ``permission``, ``not-found``,
    ``limit``, ``too-many-results``, ``unavailable``, ``internal``, ``unreachable``, ``incomplete`` (the response broke off),
    ``failed`` (the server gave up in the middle of a response) and ``unexpected`` (something else answered).
    ``status`` is the HTTP status, 0 if there was no response; ``fields`` has messages by parameter, where the server names them.
    """

    def __init__(
        self,
        message: str,
        code: str,
        status: int = 0,
        fields: Optional[Mapping[str, List[str]]] = None,
        retry_after_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.fields = dict(fields or {})
        self.retry_after_seconds = retry_after_seconds
        self.request_id = request_id


class Response:
    """A response whose body is read once: whole by ``read``, or in lines by ``lines``. Close it, or use it in a ``with`` block."""

    def __init__(self, raw: http.client.HTTPResponse) -> None:
        self._raw = raw
        self.status: int = raw.status
        self.headers = raw.headers

    def __enter__(self) -> "Response":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._raw.close()

    def read(self) -> bytes:
        """The whole body."""
        return b"".join(self._chunks())

    def lines(self) -> Iterator[Any]:
        """Each line of the body, parsed as JSON, as it arrives. A last line without its newline is a response that broke off."""
        parts: List[bytes] = []
        for chunk in self._chunks():
            pieces = chunk.split(b"\n")
            for piece in pieces[:-1]:
                line = b"".join(parts) + piece
                parts = []
                if line.strip():
                    yield _parse(line, self.status)
            parts.append(pieces[-1])
        if b"".join(parts).strip():
            raise _broken_off(self.status)

    def _chunks(self) -> Iterator[bytes]:
        compressed = self.headers.get("content-encoding", "") == "gzip"
        inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16) if compressed else None
        length = self.headers.get("content-length")
        received = 0
        try:
            while True:
                chunk = self._raw.read1(_CHUNK_BYTES)
                if not chunk:
                    break
                received += len(chunk)
                data = inflate.decompress(chunk) if inflate else chunk
                if data:
                    yield data
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise _broken_off(self.status) from error
        short = length is not None and received < int(length)
        if short or (inflate is not None and received > 0 and not inflate.eof):
            raise _broken_off(self.status)


def quote(value: str) -> str:
    """A value as one segment of a path: ``/pdns/v2/lookup/rrset/name/`` + quote(name)."""
    return urllib.parse.quote(value, safe="*,:")


def signature_of(key: str, username: str, timestamp: str, path: str) -> str:
    """HMAC-SHA-256 over username, timestamp and path, in lower-case hex."""
    message = (username + timestamp + path).encode()
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()


class Client:
    """A client of one server.

    ``server``: its address, mount prefix included. ``key``: the API key, for the platform and passive DNS. ``batch_key``: the key of
    the batch API. ``sign``: sign requests to the platform instead of sending the key; needs ``username``. ``wait_seconds``: how long a
    request may wait in all where the server says when to try again; by default it fails at once. ``timeout``: seconds without a byte.
    ``opener``: an opener of ``urllib.request``, for a proxy or certificates of your own; it gets a handler that refuses redirects.
    A client may be used by several threads.
    """

    def __init__(
        self,
        server: str,
        key: Optional[str] = None,
        username: Optional[str] = None,
        batch_key: Optional[str] = None,
        sign: bool = False,
        wait_seconds: float = 0,
        timeout: float = 120,
        user_agent: str = "nameglass-python",
        opener: Optional[urllib.request.OpenerDirector] = None,
    ) -> None:
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise NameglassError(f"server: {server} is not an address such as https://names.example", "invalid")
        if sign and not (username and key):
            raise NameglassError("A signature needs username and key.", "invalid")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._prefix = parts.path.rstrip("/")
        self._key = key
        self._username = username
        self._batch_key = batch_key
        self._sign = sign
        self._wait_seconds = wait_seconds
        self._timeout = timeout
        self._user_agent = user_agent
        self._opener = opener or urllib.request.build_opener()
        # A redirected request would carry the key to wherever it leads.
        self._opener.add_handler(_NoRedirects())
        self._lock = threading.Lock()
        self._last_ms = 0

    def request(
        self,
        path: str,
        query: Optional[Query] = None,
        body: Optional[Body] = None,
        method: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Response:
        """The response, if its status is 2xx; otherwise raises ``NameglassError``. A mapping as the body is sent as JSON."""
        left = self._wait_seconds
        while True:
            try:
                return self._send(path, query, body, method, headers)
            except NameglassError as error:
                seconds = error.retry_after_seconds
                if seconds is None or seconds > left:
                    raise
                left -= max(seconds, 1)
                time.sleep(max(seconds, 1))

    def json(self, path: str, query: Optional[Query] = None, body: Optional[Body] = None, **options: Any) -> Any:
        """The parsed body of a response."""
        with self.request(path, query, body, **options) as response:
            return _parse(response.read(), response.status)

    def lines(
        self,
        path: str,
        query: Optional[Query] = None,
        body: Optional[Body] = None,
        on_end: Optional[Callable[[Dict[str, Any]], None]] = None,
        **options: Any,
    ) -> Iterator[Any]:
        """Records of a streamed response as they arrive: NDJSON, or the framed lines of passive DNS.

        Raises ``NameglassError`` with the code ``incomplete`` if the response breaks off, or does not say that it succeeded where it
        must. ``on_end`` gets the last line of a passive DNS response: ``cond`` is ``succeeded`` or ``limited``.
        """
        with self.request(path, query, body, **options) as response:
            yield from self._records(path, response, on_end)

    def pages(
        self, path: str, query: Optional[Query] = None, body: Optional[Body] = None, **options: Any
    ) -> Iterator[Any]:
        """The items of all pages of a list, a search, a passive DNS lookup or a feed."""
        if _UNFRAMED.match(self._below(self._url(path))):
            raise NameglassError("Only version 2 of passive DNS says where its next page begins: use /pdns/v2/.", "invalid")
        current: Optional[Query] = dict(query or {})
        while current is not None:
            with self.request(path, current, body, **options) as response:
                streamed = response.headers.get("content-type", "").startswith("application/x-ndjson")
                if streamed:
                    end: Dict[str, Any] = {}
                    yield from self._records(path, response, end.update)
                    current = _after_stream(response, current, end)
                else:
                    items, following = _read_page(_parse(response.read(), response.status), current)
                    yield from items
                    current = {**current, **following} if following else None

    def _records(
        self, path: str, response: Response, on_end: Optional[Callable[[Dict[str, Any]], None]]
    ) -> Iterator[Any]:
        if not _FRAMED.match(self._below(self._url(path))):
            yield from response.lines()
            return
        for frame in response.lines():
            cond = frame.get("cond")
            if "query" in frame:
                yield frame
            elif "obj" in frame:
                yield frame["obj"]
            elif cond == "failed":
                raise NameglassError(frame.get("msg", "The query failed."), "failed", response.status)
            elif cond in ("succeeded", "limited"):
                if on_end:
                    on_end(frame)
                return
        raise _broken_off(response.status)

    def _send(
        self,
        path: str,
        query: Optional[Query],
        body: Optional[Body],
        method: Optional[str],
        headers: Optional[Mapping[str, str]],
    ) -> Response:
        url = self._url(path)
        parts = urllib.parse.urlsplit(url)
        sent: Dict[str, str] = {"User-Agent": self._user_agent, "Accept-Encoding": "gzip"}
        signed: Dict[str, str] = {}
        if f"{parts.scheme}://{parts.netloc}" == self._origin:
            body, signed = self._authenticate(self._below(url), body, sent)
        data = body.encode() if isinstance(body, str) else body
        if data is not None and not isinstance(data, bytes):
            sent["Content-Type"] = "application/json"
            data = json.dumps(data).encode()
        elif data is not None:
            sent["Content-Type"] = "application/octet-stream"
        sent.update(headers or {})
        pairs = [text for text in (parts.query, _query_text({**(query or {}), **signed})) if text]
        address = urllib.parse.urlunsplit(parts._replace(query="&".join(pairs)))
        request = urllib.request.Request(address, data=data, headers=sent, method=method)
        try:
            return Response(self._opener.open(request, timeout=self._timeout))
        except urllib.error.HTTPError as refused:
            with refused:
                raise _read_error(refused, self._below(url)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise NameglassError(f"{parts.netloc} cannot be reached: {reason}", "unreachable") from error

    def _authenticate(
        self, path: str, body: Optional[Body], sent: Dict[str, str]
    ) -> Tuple[Optional[Body], Dict[str, str]]:
        if path.startswith("/batchd/"):
            if self._batch_key is not None and not isinstance(body, (str, bytes)):
                body = {"apikey": self._batch_key, **(body or {})}
            return body, {}
        if self._key is None:
            return body, {}
        if not (self._sign and path.startswith("/v1/")):
            sent["X-Api-Key"] = self._key
            return body, {}
        timestamp = self._timestamp()
        signature = signature_of(self._key, self._username or "", timestamp, path)
        return body, {"api_username": self._username or "", "timestamp": timestamp, "signature": signature}

    def _timestamp(self) -> str:
        """A signature serves one write, so no two requests are signed with the same time."""
        with self._lock:
            self._last_ms = max(int(time.time() * 1000), self._last_ms + 1)
            moment = datetime.fromtimestamp(self._last_ms / 1000, timezone.utc)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{self._last_ms % 1000:03d}Z"

    def _url(self, path: str) -> str:
        if re.match(r"^https?:", path):
            return path
        return f"{self._origin}{self._prefix}/{path.lstrip('/')}"

    def _below(self, url: str) -> str:
        """The path without the mount prefix, which may be left out of what is signed."""
        path = urllib.parse.urlsplit(url).path
        return path[len(self._prefix) :] if path.startswith(f"{self._prefix}/") else path


class _NoRedirects(urllib.request.BaseHandler):
    """Comes before the handler that follows them."""

    handler_order = 100

    def http_error_301(self, request: Any, response: Any, code: int, message: str, headers: Any) -> None:
        raise urllib.error.HTTPError(request.full_url, code, message, headers, response)

    http_error_302 = http_error_303 = http_error_307 = http_error_308 = http_error_301


def _query_text(query: Query) -> str:
    pairs: List[Tuple[str, str]] = []
    for name, value in query.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                pairs.append((name, str(each).lower() if isinstance(each, bool) else str(each)))
    # With %20 for a space: to passive DNS a plus sign is a plus sign.
    return urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote)


def _after_stream(response: Response, query: Query, end: Mapping[str, Any]) -> Optional[Query]:
    if "cursor" in end:
        return {**{name: value for name, value in query.items() if name != "offset"}, "cursor": end["cursor"]}
    linked = re.search(r'<([^>]*)>\s*;\s*rel="?next"?', response.headers.get("link", ""))
    if linked:
        return urllib.parse.parse_qs(linked.group(1).partition("?")[2], keep_blank_values=True)
    if response.status != 206:
        return None
    if query.get("sessionID") is not None:
        return query
    raise NameglassError(
        "There are more records than one response carries: use a session, or a smaller range.", "too-many-results", 206
    )


def _read_page(body: Any, query: Query) -> Tuple[List[Any], Optional[Dict[str, Any]]]:
    members = body.get("response", body) if isinstance(body, dict) else {}
    error = members.get("error")
    if error:
        raise NameglassError(error["message"], "too-many-results", error["code"])
    name = next((each for each in _ITEM_MEMBERS if isinstance(members.get(each), list)), None)
    if name is None:
        raise NameglassError("This operation does not return a list.", "unexpected")
    items = members[name]
    if "position" in members:
        return items, {"position": members["position"]}
    if "next_before" in members:
        return items, {"before": members["next_before"]}
    if items and "download_name" in members:
        return items, {"page": int(query.get("page", 0)) + 1}
    total, offset = members.get("total_count"), members.get("offset")
    if items and isinstance(total, int) and isinstance(offset, int) and offset + len(items) < total:
        return items, {"offset": offset + len(items)}
    return items, None


def _read_error(refused: urllib.error.HTTPError, path: str) -> NameglassError:
    status = refused.code
    if 300 <= status < 400:
        target = refused.headers.get("location", "nowhere")
        return NameglassError(f"The server redirects to {target}. Use that address as the server.", "unexpected", status)
    data = refused.read()
    if refused.headers.get("content-encoding") == "gzip":
        data = zlib.decompress(data, wbits=zlib.MAX_WBITS | 16)
    text = data.decode("utf-8", "replace")
    kind = refused.headers.get("content-type", "")
    message, code, fields = f"The server answered with status {status}.", _code_of(status, path), {}
    if kind.startswith("application/json"):
        message, code, fields = _read_json_error(text, message, code)
    elif kind.startswith("application/xml"):
        found = re.search(r"<Message>([^<]*)</Message>", text)
        message = found.group(1) if found else message
        code = "authentication" if status == 403 else code
    elif kind.startswith("text/plain"):
        message = re.sub(r"^Error: ", "", text).strip() or message
    retry = _retry_after(refused.headers.get("retry-after"))
    return NameglassError(message, code, status, fields, retry, refused.headers.get("x-request-id"))


def _read_json_error(text: str, message: str, code: str) -> Tuple[str, str, Dict[str, List[str]]]:
    try:
        body = json.loads(text)
    except ValueError:
        return message, code, {}
    if "_message" in body:
        invalid = body.get("invalid_parameters")
        fields = {invalid["name"]: [invalid["reason"]]} if invalid else {}
        message = ": ".join(part for part in (body["_message"], body.get("detail")) if part)
        return message, "invalid" if body.get("type") == "invalid-parameters" else code, fields
    error = body.get("error", {})
    fields = error.get("messages") or {}
    named = " ".join(sentence for sentences in fields.values() for sentence in sentences)
    said = error.get("message") or " ".join(part for part in (error.get("summary"), named) if part)
    return said or message, code, fields


def _code_of(status: int, path: str) -> str:
    if status in (401, 403):
        # Passive DNS exchanges the usual meanings; account and batch operations only know 403.
        if _EXCHANGED.match(path):
            return "authentication" if status == 403 else "permission"
        return "authentication" if status == 401 or _ONLY_403.match(path) else "permission"
    known = {404: "not-found", 429: "limit", 502: "unavailable", 503: "unavailable", 504: "unavailable"}
    return known.get(status, "internal" if status >= 500 else "invalid")


def _retry_after(text: Optional[str]) -> Optional[int]:
    """Whole seconds, or a date."""
    if not text:
        return None
    if text.isdigit():
        return int(text)
    try:
        until = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return max(0, math.ceil(until.timestamp() - time.time()))


def _parse(data: bytes, status: int) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise NameglassError("The response is not JSON.", "unexpected", status) from error


def _broken_off(status: int) -> NameglassError:
    return NameglassError("The response broke off: what was received is not all of it.", "incomplete", status)
