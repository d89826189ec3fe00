"""Events in, updates out: what comes in order, what comes late, how far time has come, what is kept."""
