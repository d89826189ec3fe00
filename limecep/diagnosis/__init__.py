"""Why a pattern found nothing, or will find nothing: what it asks for, held against the events that came."""
