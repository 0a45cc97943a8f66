"""The reader of tables as text: encoding, separator, quotes, decimal comma, comments, units and times, for every kind of table."""
