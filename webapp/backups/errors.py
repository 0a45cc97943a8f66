"""Errors of backups and restores."""

import sqlite3

import psycopg
from django.db import DatabaseError


class BackupError(Exception):
    """A backup or a restore cannot be done; the message says why and what to do. What existed before is still there."""


# What the commands tell in a line: the disk and the databases have their own ways to fail.
TOLD = (BackupError, OSError, sqlite3.Error, psycopg.Error, DatabaseError)
