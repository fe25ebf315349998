"""What is the same for everybody who asks for it, kept as it travels: packed for browsers that take it so. No secret
belongs into it or beside it, because the length of what is packed would tell of it.
"""

from __future__ import annotations

import gzip
import hashlib
from typing import Final

from aiohttp import ETag, hdrs, web

PACKED: Final = "gzip"


class Packed:
    """`content`: of that type, with its charset if it is text."""

    def __init__(self, content: bytes, content_type: str) -> None:
        self._plain = content
        self._packed = gzip.compress(content, mtime=0)
        self._type = content_type
        self._tag = ETag(hashlib.sha256(content).hexdigest()[:16])

    def answer(self, request: web.Request) -> web.Response:
        """All of it; nothing to whoever has it already."""
        if self._tag.value in {one.value for one in request.if_none_match or ()}:
            known = web.Response(status=web.HTTPNotModified.status_code)
            known.etag = self._tag
            return known
        headers = {hdrs.CONTENT_TYPE: self._type, hdrs.VARY: hdrs.ACCEPT_ENCODING}
        if PACKED not in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            answer = web.Response(body=self._plain, headers=headers)
        else:
            answer = web.Response(body=self._packed, headers={**headers, hdrs.CONTENT_ENCODING: PACKED})
        answer.etag = self._tag
        return answer
