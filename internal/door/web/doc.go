// Package web serves the explorer: a page that is embedded in the binary, and the operations of the service as JSON.
// The sources of the page are in ui; go generate bundles the sources into dist.
package web

//go:generate go run girih/cmd/girih draw "Sw<3,3,3> o 0 o (8,64):(64,1)" --type f16 --scale 1 -o ui/preview.png
//go:generate go run ./bundle
