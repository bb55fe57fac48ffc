package runfile

// A Host is the environment in which a description is loaded: its files and its limits. The zero Host has no files
// and no limits.
type Host struct {
	// Open returns the bytes of a file that a description names, and an error if the file has more than most bytes. If
	// Open is nil, no files can be read.
	Open func(name string, most int64) ([]byte, error)
	// Keep is called before memory is allocated, with its size in bytes; nil for no limit.
	Keep func(bytes int64) error
	// Stop returns an error if loading must end; nil for no limit.
	Stop func() error
}

// open returns the bytes of the file that a field names.
func (h Host) open(field, name string, most int64) ([]byte, error) {
	if h.Open == nil {
		return nil, errorf(field, "no files can be read here: give values, or a fill")
	}
	text, err := h.Open(name, most)
	switch {
	case err != nil:
		return nil, errorf(field, "%v", err)
	case int64(len(text)) > most:
		return nil, errorf(field, "expected at most %d bytes in %s, found %d", most, name, len(text))
	}
	return text, h.keep(int64(len(text)))
}

// keep asks for memory.
func (h Host) keep(bytes int64) error {
	if h.Keep == nil || bytes == 0 {
		return nil
	}
	return h.Keep(bytes)
}

func (h Host) stop() error {
	if h.Stop == nil {
		return nil
	}
	return h.Stop()
}
