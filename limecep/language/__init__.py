"""The pattern language: text to model (`parser`), model to text (`printer`), and what is wrong with a query
(`check`)."""
