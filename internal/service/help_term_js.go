package service

import "girih/internal/glossary"

// termText returns nothing: the engine of a browser has no glossary.
func termText(*glossary.Term, int) string { return "" }
