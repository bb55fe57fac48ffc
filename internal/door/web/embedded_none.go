//go:build !engine

package web

import "girih/internal/door/web/engine"

// embeddedEngine returns no engine: this binary contains none.
func embeddedEngine() (engine.Engine, bool) { return nil, false }
