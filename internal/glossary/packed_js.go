package glossary

// The engine of a browser has no glossary: its page reads the packed table.

// Names returns no terms.
func Names() []string { return nil }

// AllNames returns no names.
func AllNames() []string { return nil }

// Find returns no term.
func Find(string, Language) *Term { return nil }

// Text returns no text.
func Text(string, Language) string { return "" }
