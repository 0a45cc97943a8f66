"""Data sets that engines learn from: bundled ones and files in their publishers' own formats. Nothing is downloaded.

`DataSet` is what every reader gives; a reader is one module. All of them refuse what they do not understand and none of them
unpickles anything.
"""
