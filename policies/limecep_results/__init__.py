"""Result policies: which differences between old and new results go out, and when."""
