// Package web serves the explorer: a page that is embedded in the binary, and the operations of the service as JSON. The
// sources of the page are in ui, the bundle that go generate makes of them in dist.
package web

//go:generate go run ./bundle
