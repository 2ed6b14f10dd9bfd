"""PDF -> frames with PyMuPDF and its bundled models: `layout` is the entry, and says the rest."""
