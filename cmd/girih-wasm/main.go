//go:build js && wasm

// Command girih-wasm is the service for a browser: girihDo(operation, request) returns the response, both as JSON.
package main

import (
	"syscall/js"

	"girih/internal/service"
)

func main() {
	pages := new(service.Pages)
	js.Global().Set("girihDo", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(pages.Session().Do(args[0].String(), []byte(args[1].String())))
	}))
	select {} // the functions live as long as the worker
}
