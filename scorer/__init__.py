"""Rules, records, findings, scores and the journal. Knows no pixels, no HTTP, no threads."""
