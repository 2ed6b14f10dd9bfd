"""Compare: two sides of one document, what differs, and what a question brings back of each."""
