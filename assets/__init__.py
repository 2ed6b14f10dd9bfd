"""The sample documents and the script that makes them (see README.md)."""
