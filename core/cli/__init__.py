"""The command line: app holds the commands and their help, reading opens documents, printing
writes results, files writes frames into folders."""
