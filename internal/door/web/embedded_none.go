//go:build !engine

package web

import "girih/internal/door/web/engine"

// embeddedEngine returns the engine in the binary: there is none.
func embeddedEngine() (engine.Engine, bool) { return engine.Engine{}, false }
