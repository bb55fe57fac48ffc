//go:build !engine

package web

// embeddedEngine returns no engine: this binary contains none.
func embeddedEngine() (map[string][]byte, bool) { return nil, false }
