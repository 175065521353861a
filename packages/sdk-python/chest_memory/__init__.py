"""Typed client of a Chest backend, to use with and without asyncio."""

from . import models
from .client import AsyncChest, Chest
from .errors import ChestError

__all__ = ["AsyncChest", "Chest", "ChestError", "models"]
