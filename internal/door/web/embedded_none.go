//go:build !engine

package web

import "girih/internal/door/web/engine"

// embedded returns the engine in the binary: there is none.
func embedded() (engine.Engine, bool) { return engine.Engine{}, false }
