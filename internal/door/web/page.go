package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"strings"
	"sync"

	"girih/internal/glossary"
)

// The script and the style sheet are compressed in the binary: 150 kB less.
//
//go:embed dist
var dist embed.FS

// embeddedPage returns the files of the page, by name, as browsers read them. The files must not be changed.
var embeddedPage = sync.OnceValues(func() (map[string][]byte, error) {
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for _, e := range entries {
		content, err := dist.ReadFile("dist/" + e.Name())
		if err != nil {
			return nil, err
		}
		name, packed := strings.CutSuffix(e.Name(), ".gz")
		if packed {
			if content, err = unpack(content); err != nil {
				return nil, err
			}
		}
		files[name] = content
	}
	files["glossary.json"] = glossary.JSON()
	return files, nil
})

func unpack(content []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
