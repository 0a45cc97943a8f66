"""Names of documents in the catalogue, made of titles in any script."""

from __future__ import annotations

import hashlib
import re
import unicodedata

SLUG_LENGTH = 80
_DIGEST_LETTERS = 6
# Latin letters that have no decomposition.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "ħ": "h", "ŋ": "n"}
)


def slug_of(title: str, fallback: str, length: int = SLUG_LENGTH) -> str:
    """Return the name in the catalogue for a title: small letters, digits and hyphens.

    Accents are left out. A title that does not fit into such a name (another script, no letter at all, too long) gets letters of
    its hash, so that two of them never share a name.

    Args:
        title: any text.
        fallback: what stands before these letters where nothing else is left of the title.
        length: largest number of characters.
    """
    shown = unicodedata.normalize("NFC", " ".join(title.split()))
    plain = unicodedata.normalize("NFKD", shown.lower()).translate(_LATIN)
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")
    lost = any(each.isalnum() and not each.isascii() for each in letters)
    if slug and not lost and len(slug) <= length:
        return slug
    digest = hashlib.sha256(shown.encode(errors="replace")).hexdigest()[:_DIGEST_LETTERS]
    return f"{(slug or fallback)[: length - _DIGEST_LETTERS - 1].rstrip('-')}-{digest}"
