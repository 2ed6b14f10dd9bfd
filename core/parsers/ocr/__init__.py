"""The pictures of pages -> frames with RapidOCR: `parse` is the entry, and says the rest."""
