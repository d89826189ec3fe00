"""Bounds of times. Event times and arrival times are microseconds since 1970-01-01 UTC."""

#: The first and the last instant that an event may have: the years 1 to 9999 in UTC.
EARLIEST = -62_135_596_800_000_000
LATEST = 253_402_300_799_999_999

#: After every time; `-FOREVER` is before every time.
FOREVER = 1 << 62
