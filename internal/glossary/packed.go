//go:build !js

package glossary

import (
	_ "embed"
	"encoding/json"
	"sync"

	"girih/internal/packed"
)

// compressed is the packed table in gzip.
//
//go:generate go run girih/internal/cmd/release glossary .
//go:embed glossary.json.gz
var compressed []byte

// JSON returns the packed table as the page reads it.
func JSON() []byte { return packed.Bytes(compressed) }

// columns returns the packed table. It must not be changed.
var columns = sync.OnceValue(func() [][]string {
	var c [][]string
	if err := json.Unmarshal(JSON(), &c); err != nil {
		panic(err) // the file is in the binary
	}
	return c
})
