"""Games of named players as data: a row for each choice, with the view as numbers, and the games as records."""
