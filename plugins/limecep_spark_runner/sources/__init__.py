"""How sources come to the workers: on the driver as streams of raw records, there as events."""
