package repl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"girih/internal/file"
)

// A history holds earlier inputs, the oldest first, and keeps them in a file. It is the History of package readline.
// The file has one JSON string a line, so that inputs may have several lines.
type history struct {
	entries []string
	path    string
	failed  func(error) // called once, if the file cannot be written
}

// historySize is how many inputs are kept from session to session.
const historySize = 2000

// historyPath returns the file in the user's state directory, as the XDG base directory specification places it.
func historyPath() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // the specification requires that a relative path is ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "girih", "history"), nil
}

// openHistory reads the file at path, "" for a history only in memory. An unreadable file counts as empty.
func openHistory(path string, failed func(error)) *history {
	h := &history{path: path, failed: failed}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // reading a named pipe would wait
		h.report(fmt.Errorf("%s is not a file", path))
		return h
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return h
	}
	for line := range bytes.Lines(data) {
		var entry string
		if json.Unmarshal(line, &entry) == nil && entry != "" {
			h.entries = append(h.entries, entry)
		}
	}
	// A last line without a line end was cut off by a crash: the next entry would be added to it.
	n := len(h.entries)
	h.entries = h.entries[max(0, n-historySize):]
	if n > historySize || len(data) > 0 && data[len(data)-1] != '\n' {
		h.report(h.rewrite())
	}
	return h
}

// Write appends an input, unless it repeats the last one, and returns the number of inputs. A failed write
// is reported but not returned as an error, which the line editor would show over the input.
func (h *history) Write(input string) (int, error) {
	if n := len(h.entries); input == "" || n > 0 && h.entries[n-1] == input {
		return n, nil
	}
	h.entries = append(h.entries, input)
	h.report(h.save(input))
	return len(h.entries), nil
}

// report calls failed for the first error, and keeps the history in memory from then on.
func (h *history) report(err error) {
	if err != nil {
		h.path = ""
		h.failed(err)
	}
}

// save appends one entry to the file. It does not replace the file: that would remove what other sessions have written
// since this session began, while appending a line in one write changes no existing entry. A partial line left by a
// full disk is removed; a partial line left by a crash is dropped when the next session begins.
func (h *history) save(entry string) error {
	if h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	return file.Append(h.path, append(line, '\n'), 0o600)
}

// rewrite replaces the file by the entries.
func (h *history) rewrite() error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, e := range h.entries {
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	return file.Replace(h.path, b.Bytes(), 0o600)
}

// errNoEntry is returned for a position without an entry.
var errNoEntry = errors.New("there is no such history entry")

// GetLine returns the input at a position, the oldest at 0.
func (h *history) GetLine(pos int) (string, error) {
	if pos < 0 || pos >= len(h.entries) {
		return "", errNoEntry
	}
	return h.entries[pos], nil
}

// Len returns the number of inputs.
func (h *history) Len() int { return len(h.entries) }

// Dump returns the inputs.
func (h *history) Dump() any { return h.entries }
