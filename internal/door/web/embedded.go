//go:build engine

package web

import (
	"embed"

	"girih/internal/door/web/engine"
)

// The engines of a release: go run ./internal/door/web/bundle -engine writes them.
//
//go:embed embedded/*.gz embedded/wasm_exec.js
var embeddedFiles embed.FS

// embeddedEngine returns the engines in the binary.
func embeddedEngine() (engine.Engine, bool) {
	e := make(engine.Engine)
	for _, name := range engine.Names {
		content, err := embeddedFiles.ReadFile("embedded/" + name)
		if err != nil {
			return nil, false
		}
		e[name] = content
	}
	return e, true
}
