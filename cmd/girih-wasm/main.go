//go:build js && wasm

// Command girih-wasm is the service for a browser: girihDo(operation, request) returns the response, both as JSON. If
// there is a function girihWatch, it is called during operations that take seconds, with a stage, the number of things
// that are done, and the number of all.
package main

import (
	"syscall/js"
	"time"

	"girih/internal/service"
)

// larger is the panic of the functions that a smaller engine of a page leaves out, and the code of the answer: the page
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
	s := pages.Session()
	s.Watch(watch())
	return string(s.Do(op, body))
}

// pause is the time between two calls of girihWatch: a reader sees no more of them.
const pause = 100 * time.Millisecond

// watch returns a function that reports progress to girihWatch; nil without girihWatch.
func watch() func(service.Progress) {
	f := js.Global().Get("girihWatch")
	if f.Type() != js.TypeFunction {
		return nil
	}
	last := time.Now()
	return func(p service.Progress) {
		if now := time.Now(); now.Sub(last) >= pause {
			last = now
			f.Invoke(p.Stage, p.Done, p.Most)
		}
	}
}
