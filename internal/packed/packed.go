// Package packed reads texts that are in the binary in gzip, which makes it smaller. internal/cmd/release writes them.
package packed

import (
	"bytes"
	"compress/gzip"
	"io"
)

// Bytes returns what compressed is the gzip form of. It panics for anything else: the text is a part of the program.
func Bytes(compressed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}
