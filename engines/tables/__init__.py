"""Reader of tables in text files: encoding, separator, quotes, decimal comma, comments and times, for every kind of table."""
