"""Answers come in one by one and go out, to a stream or a file, as lines, tables, objects or rows of a database.

Reading order: streams.py (standard output and error: exit codes, broken pipes, full disks, diagnostics), writers.py
(`--json`; the protocol of everything that writes answers; pictures in files; answers as lines of csv, tsv or JSON, and
as rows of a table), answer_files.py (answers written to a file at once: lines, SQLite, Parquet).
"""
