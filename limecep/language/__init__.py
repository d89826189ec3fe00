"""The pattern language: text to model (`parser`), and what is wrong with a query (`check`)."""
