//go:build js && wasm

// Command girih-wasm is the service for a browser: girihDo(operation, request) returns the response, both as JSON.
package main

import (
	"syscall/js"

	"girih/internal/service"
)

// larger is the panic of the functions that the first engine of a page leaves out, and the code of the answer: the page
// asks the other engine. The list of these functions belongs to package engine.
const larger = "larger_engine"

func main() {
	pages := new(service.Pages)
	js.Global().Set("girihDo", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return answer(pages, args[0].String(), []byte(args[1].String()))
	}))
	select {} // the functions live as long as the worker
}

// answer carries out an operation.
func answer(pages *service.Pages, op string, body []byte) (out string) {
	defer func() {
		if p := recover(); p == larger {
			out = `{"ok":false,"error":{"code":"` + larger + `","message":"this needs the larger engine"}}`
		} else if p != nil {
			panic(p)
		}
	}()
	return string(pages.Session().Do(op, body))
}
