//go:build engine

package web

import (
	"embed"

	"girih/internal/door/web/engine"
)

// The engine of a release: go run ./internal/door/web/bundle -engine writes it.
//
//go:embed embedded/engine.wasm.gz embedded/wasm_exec.js
var embeddedFiles embed.FS

// embeddedEngine returns the engine in the binary.
func embeddedEngine() (engine.Engine, bool) {
	module, err := embeddedFiles.ReadFile("embedded/engine.wasm.gz")
	if err != nil {
		return engine.Engine{}, false
	}
	support, err := embeddedFiles.ReadFile("embedded/wasm_exec.js")
	return engine.Engine{Module: module, Support: support}, err == nil
}
