//go:build !js

package glossary

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"io"
	"sync"
)

// compressed is the packed table in gzip.
//
//go:generate go run girih/internal/cmd/release glossary .
//go:embed glossary.json.gz
var compressed []byte

// JSON returns the packed table as the page reads it.
func JSON() []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err) // the file is in the binary
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

// columns returns the packed table. It must not be changed.
var columns = sync.OnceValue(func() [][]string {
	var c [][]string
	if err := json.Unmarshal(JSON(), &c); err != nil {
		panic(err) // the file is in the binary
	}
	return c
})
