"""Moves the learned terms so that texts which mean the same lie nearer to each other than to any other text.

What is compared in each round is drawn by lot: messages in two of their languages, texts and where the teacher puts them,
English words and their definitions. Each text of a lot is to find its own partner among all of them (InfoNCE, van den Oord
et al. 2018). Texts of one language keep the cosines that they have, so that languages come together and a language stays
as it is.
"""

import json
import os
import sys
from pathlib import Path

# One thread, so that sums are made in the same order each time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse as sparse

WORK = Path(sys.argv[1])
DIMENSIONS = int(sys.argv[2])
ROUNDS = 1500
LOT = 512
# A round moves a term by about so much, at first.
RATE = 0.002
WARM = 30
# By which cosines are divided before they are compared.
TEMPERATURE = 0.15
DEFINITION_TEMPERATURE = 0.1
# What counts how much.
TRANSLATIONS, TEACHER, KEPT, DEFINITIONS = 1.5, 1, 1, 2

lots = np.random.default_rng(1)


def said_in(name):
    """For each text how often it says each term."""
    said = np.fromfile(WORK / f"{name}said.i32", np.int32)
    ends = np.fromfile(WORK / f"{name}ends.i32", np.int32)
    return sparse.csr_matrix((np.ones(len(said), np.float32), said, ends), shape=(len(ends) - 1, len(vectors)))


class Lot:
    """Texts of a round as unit vectors, and which way they are to move."""

    def __init__(self, said):
        self.said = said
        sums = said @ vectors
        self.lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        self.units = sums / self.lengths
        self.slopes = np.zeros_like(sums)

    def of_sums(self):
        along = (self.slopes * self.units).sum(1, keepdims=True)
        return (self.slopes - along * self.units) / self.lengths


def find_partners(asking, units, temperature, weight):
    """Adds how each text of a lot is to move to find its own unit among all; returns the same for the units."""
    odds = asking.units @ units.T / temperature
    odds = np.exp(odds - odds.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    odds[np.diag_indices(len(odds))] -= 1
    odds *= weight / (len(odds) * temperature)
    asking.slopes += odds @ units
    return odds.T @ asking.units


def find_each_other(one, other, temperature, weight):
    other.slopes += find_partners(one, other.units, temperature, weight / 2)
    one.slopes += find_partners(other, one.units, temperature, weight / 2)


def keep_cosines(lot, before, weight):
    lot.slopes += weight * 4 / len(before) * (lot.units @ lot.units.T - before @ before.T) @ lot.units


def two_of_each(messages):
    """Texts of so many messages, in two of the languages of each."""
    drawn = lots.choice(messages, LOT, replace=False)
    pairs = np.array([lots.choice(texts_of[message], 2, replace=False) for message in drawn])
    return pairs[:, 0], pairs[:, 1]


vectors = np.fromfile(WORK / "learned.f32", np.float32).reshape(-1, DIMENSIONS)
first = vectors.copy()
targets = np.fromfile(WORK / "targets.f32", np.float32).reshape(-1, DIMENSIONS)
said = said_in("")
alike = said_in("alike.")
origins = json.loads((WORK / "origins.json").read_text("utf8"))

has_terms = np.diff(said.indptr) > 0
texts_of = {}
for text in np.flatnonzero(has_terms):
    texts_of.setdefault(origins[text][0], []).append(text)
translated = np.array([message for message, texts in texts_of.items() if len(texts) > 1])
texts = np.flatnonzero(has_terms)
languages = np.array([language for _, language in origins])
by_language = [texts[languages[texts] == language] for language in np.unique(languages)]
counts = np.diff(alike.indptr).reshape(-1, 2)
definitions = np.flatnonzero(counts.min(1) > 0)

squares = np.zeros((len(vectors), 1), np.float32)
for round in range(ROUNDS):
    one, other = (Lot(said[drawn]) for drawn in two_of_each(translated))
    find_each_other(one, other, TEMPERATURE, TRANSLATIONS)
    drawn = lots.choice(texts, LOT, replace=False)
    taught = Lot(said[drawn])
    find_partners(taught, targets[drawn], TEMPERATURE, TEACHER)
    drawn = lots.choice(by_language[round % len(by_language)], LOT, replace=False)
    kept = Lot(said[drawn])
    before = said[drawn] @ first
    before /= np.maximum(np.linalg.norm(before, axis=1, keepdims=True), 1e-6)
    keep_cosines(kept, before, KEPT)
    drawn = lots.choice(definitions, LOT, replace=False)
    word, definition = Lot(alike[2 * drawn]), Lot(alike[2 * drawn + 1])
    find_each_other(word, definition, DEFINITION_TEMPERATURE, DEFINITIONS)

    round_lots = [one, other, taught, kept, word, definition]
    together = sparse.vstack([lot.said for lot in round_lots]).tocsr()
    moved = np.unique(together.indices)
    slopes = (together.T.tocsr() @ np.vstack([lot.of_sums() for lot in round_lots]))[moved]
    # Each term by its own step: RMSProp (Tieleman and Hinton 2012) with one square for a term.
    own = (slopes**2).mean(1, keepdims=True)
    squares[moved] = np.where(squares[moved] == 0, own, 0.99 * squares[moved] + 0.01 * own)
    rate = RATE * min(1, (round + 1) / WARM) * (1 - round / ROUNDS)
    vectors[moved] -= rate * slopes / np.sqrt(np.maximum(squares[moved], 1e-12))

vectors.tofile(WORK / "vectors.f32")
