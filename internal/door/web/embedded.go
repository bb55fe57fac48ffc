//go:build engine

package web

import "embed"

// The engines of a release: go run ./internal/door/web/bundle -engine writes them.
//
//go:embed embedded/*.gz embedded/*.br embedded/wasm_exec.js
var embeddedFiles embed.FS

// embeddedEngine returns the files of the engines in the binary, by name.
func embeddedEngine() (map[string][]byte, bool) {
	entries, err := embeddedFiles.ReadDir("embedded")
	if err != nil {
		return nil, false
	}
	e := make(map[string][]byte)
	for _, entry := range entries {
		if e[entry.Name()], err = embeddedFiles.ReadFile("embedded/" + entry.Name()); err != nil {
			return nil, false
		}
	}
	return e, true
}
