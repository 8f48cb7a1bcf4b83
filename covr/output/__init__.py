"""Answers come in one by one and go out, to a stream or a file, as lines, tables, objects or rows of a database.

Reading order: exits.py (exit codes), streams.py (standard output and error that can't be written to), report.py
(diagnostics on standard error); stream.py (`--json`), writers.py (the protocol of all writers), answer_rows.py (an
answer as rows of a table), file_faults.py (files that can't be written), answer_files.py (files of answers that survive
a kill), lines.py (csv, tsv, JSON lines), database.py (SQLite), parquet.py (Parquet), pictures.py (a picture of the
answers).
"""
