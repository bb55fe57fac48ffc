// Package listing contains the Go source of the kernels of package examples, for pages that show a kernel with its
// counters.
package listing

import (
	_ "embed"
	"strings"
	"sync"

	"girih/internal/packed"
)

// compressed has the files of examples/ with kernels in gzip: the name and the text of each, with a zero byte after
// both.
//
//go:generate go run girih/internal/cmd/release listing .
//go:embed kernels.gz
var compressed []byte

var files = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	parts := strings.Split(string(packed.Bytes(compressed)), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		out[parts[i]] = strings.Split(strings.TrimSuffix(parts[i+1], "\n"), "\n")
	}
	return out
})

// Lines returns the lines of a file of examples/, such as sgemm_1.go, or nil. They must not be changed.
func Lines(name string) []string { return files()[name] }
