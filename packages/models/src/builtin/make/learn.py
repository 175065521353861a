"""Learns a vector for each term, so that the sum of a text's terms lies where the teacher puts the text.

The teacher's vectors of a language are put around one middle, and those of translations are pulled together: a text is to
lie where its meaning is, whatever its language. Terms begin where the teacher puts them alone, the frequent ones near to
nothing, and go as far from there as the texts ask for: a ridge regression, by conjugate gradients. At the end directions
that all texts share a little of weigh less, so that what sets a text apart decides.
"""

import json
import os
import re
import sys
from pathlib import Path

# One thread, so that sums are made in the same order each time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse as sparse

WORK = Path(sys.argv[1])
DIMENSIONS = int(sys.argv[2])
PULL = 0.7
RIDGE = 0.5
ROUNDS = 30
# A term in one text of a thousand begins at half its length.
RARE = 1e-3
# 1/2 would make all directions of texts weigh the same.
EVEN = 0.15


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def around_one_middle(vectors, languages):
    moved = np.empty_like(vectors)
    for language in np.unique(languages):
        own = languages == language
        moved[own] = vectors[own] - vectors[own].mean(0)
    return unit(moved)


def pulled_together(vectors, messages):
    sums = np.zeros((messages.max() + 1, vectors.shape[1]), np.float32)
    np.add.at(sums, messages, vectors)
    return unit((1 - PULL) * vectors + PULL * unit(sums)[messages])


def principal(vectors):
    own = vectors[::3]
    _, directions = np.linalg.eigh(own.T @ own / len(own))
    return np.ascontiguousarray(directions[:, ::-1][:, :DIMENSIONS])


def ridge(said, wanted, start):
    """The nearest to `start` with which `said` times it comes near to what is wanted."""
    said_of = said.T.tocsr()
    diagonal = (np.asarray(said.multiply(said).sum(0)).ravel() + RIDGE)[:, None].astype(np.float32)
    moved = np.zeros_like(start)
    left = said_of @ (wanted - said @ start)
    step = left / diagonal
    direction = step.copy()
    length = (left * step).sum(0)
    for _ in range(ROUNDS):
        image = said_of @ (said @ direction) + RIDGE * direction
        far = length / np.maximum((direction * image).sum(0), 1e-12)
        moved += far * direction
        left -= far * image
        step = left / diagonal
        before, length = length, (left * step).sum(0)
        direction = step + length / np.maximum(before, 1e-12) * direction
    return start + moved


def evened_out(learned, said):
    """The map that makes the directions of texts weigh more alike."""
    texts = unit(said @ learned)
    spread, directions = np.linalg.eigh(texts.T @ texts / len(texts))
    return (directions * np.maximum(spread, 1e-9) ** -EVEN).astype(np.float32)


def language_of(term):
    for language, letters in (("ko", "[가-힣]"), ("ja", "[ぁ-ゖァ-ヺー]"), ("zh", "[一-鿿]")):
        if re.search(letters, term):
            return language
    return "en"


terms = json.loads((WORK / "terms.json").read_text("utf8"))
origins = json.loads((WORK / "origins.json").read_text("utf8"))
messages = np.array([message for message, _ in origins])
languages = np.array([language for _, language in origins])
said = np.fromfile(WORK / "said.i32", np.int32)
ends = np.fromfile(WORK / "ends.i32", np.int32)

lengths = np.diff(ends)
weights = np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths).astype(np.float32)
matrix = sparse.csr_matrix((weights, said, ends), shape=(len(lengths), len(terms)))
matrix.sum_duplicates()
wanted = around_one_middle(np.load(WORK / "texts.npy").astype(np.float32), languages)
wanted = pulled_together(wanted, messages)
basis = principal(wanted)
alone = around_one_middle(np.load(WORK / "terms.npy").astype(np.float32), np.array([language_of(term) for term in terms]))
share = np.bincount(said, minlength=len(terms)) / len(lengths)
start = alone * (RARE / (RARE + share)).astype(np.float32)[:, None]
learned = ridge(matrix, wanted @ basis, start @ basis)
evened = evened_out(learned, matrix)
(learned @ evened).tofile(WORK / "learned.f32")
unit(wanted @ basis @ evened).tofile(WORK / "targets.f32")
