//go:build !js || kernels

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/runfile"
)

// A SimRecording is a recorded launch, and how its buffers are compared.
type SimRecording struct {
	Number   int              // the number of the launch, which begins the names of its files
	Text     []byte           // the content of the description, NUMBER.json
	Files    map[string]int64 // the names and sizes of the other files
	Types    []string         // the types of the elements of buffers: f16 for all, or buf2=f16 for one
	Rel, Abs float64
}

// Run returns the launch as a description of a run, and the name of the kernel.
func (r SimRecording) Run() (run, entry string, err error) {
	c := runfile.Comparison{Types: map[string]string{}, Rel: r.Rel, Abs: r.Abs}
	for _, t := range r.Types {
		buffer, name, ok := strings.Cut(t, "=")
		if !ok {
			buffer, name = "", t
		}
		c.Types[buffer] = name
	}
	f, err := runfile.Recording(r.Number, r.Text, r.Files, c)
	if err != nil {
		return "", "", err
	}
	return string(f.Text()), f.Entry, nil
}

// SimPTXOf returns the index of the PTX text that defines a kernel. names are the names of the texts, in
// order.
func SimPTXOf(entry string, names, texts []string) (int, error) {
	var found []string
	at := -1
	for i, text := range texts {
		if hasEntry(text, entry) {
			found, at = append(found, names[i]), i
		}
	}
	switch {
	case len(found) == 1:
		return at, nil
	case len(found) > 1:
		return -1, fmt.Errorf("%s have the kernel %s: give the file that ran", strings.Join(found, " and "), entry)
	case len(names) == 1:
		return -1, fmt.Errorf("%s does not have the kernel %s: %s", names[0], entry, howPTX)
	case len(names) > 1:
		return -1, fmt.Errorf("none of %s has the kernel %s: %s", strings.Join(names, ", "), entry, howPTX)
	}
	return -1, fmt.Errorf("there is no PTX of the kernel %s: %s", entry, howPTX)
}

// howPTX says where PTX comes from.
const howPTX = "get it by cuobjdump -xptx all PROGRAM, nvcc -keep or kernel.asm[\"ptx\"] of Triton, and put the .ptx file " +
	"next to the recording, or give it as FILE.ptx"

// hasEntry reports whether a text of PTX defines a kernel.
func hasEntry(text, entry string) bool {
	for rest := text; ; {
		i := strings.Index(rest, ".entry")
		if i < 0 {
			return false
		}
		rest = rest[i+len(".entry"):]
		name := strings.TrimLeft(rest, " \t\r\n")
		if after, ok := strings.CutPrefix(name, entry); ok && (after == "" || !slices.Contains([]byte(identifier), after[0])) {
			return true
		}
	}
}

// identifier has the characters that may follow the first one of a PTX name.
const identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%"
